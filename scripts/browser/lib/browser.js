// The browser, and pages that fail their test when they break a promise: no request leaves the
// server, nothing violates the content security policy, nothing goes wrong in a script.

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {serve} from './server.js';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync'];
export const DESKTOP = {width: 1280, height: 860};
export const PHONE = {viewport: {width: 360, height: 640}, hasTouch: true, isMobile: true,
  deviceScaleFactor: 2};

/** Starts the browser. */
export function launch() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({executablePath, args: ARGUMENTS, headless: true});
}

/**
 * Starts a browser and a server before the tests of a file, and ends both after them. The result
 * gives {browser, server} to a `scenario`.
 */
export function onServer(program) {
  const here = {browser: null, server: null};
  before(async () => {
    [here.browser, here.server] = await Promise.all([launch(), serve(program())]);
  });
  after(() => Promise.all([here.browser?.close(), here.server?.stop()]));
  return () => here;
}

/** The browser notes each answer that is an error; a test may provoke one on purpose. */
function isExpected(message, refusals) {
  const {pathname} = new URL(message.location().url || 'about:blank');
  return /^Failed to load resource: .* 4\d\d /.test(message.text()) && refusals.has(pathname);
}

/** Records what a page does wrong. */
function guard(page, origin, faults, refusals) {
  page.on('request', (request) => {
    const {protocol, origin: asked} = new URL(request.url());
    if (asked !== origin && !['data:', 'blob:'].includes(protocol)) {
      faults.push(`a request left the server: ${request.url()}`);
    }
  });
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) {
      faults.push(`a socket left the server: ${socket.url()}`);
    }
  });
  page.on('pageerror', (fault) => faults.push(`error of a script: ${fault.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message, refusals)) {
      faults.push(`error on the console: ${message.text()} (${message.location().url})`);
    }
  });
}

/**
 * A browser context of its own on a server: {context, page, open(address), another(),
 * expectRefusal(path), faults, close()}. `close` fails if one of its pages broke a promise.
 */
export async function visit(browser, server, options = {}) {
  const context = await browser.newContext({viewport: DESKTOP, reducedMotion: 'reduce',
    serviceWorkers: 'block', ...options});
  context.setDefaultTimeout(8000);
  const faults = [];
  const refusals = new Set();
  // Runs before any script of the page; the test's own copies of what the browser reports.
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  context.on('page', (page) => guard(page, server.url, faults, refusals));
  const page = await context.newPage();
  const open = async (address = '#/play', one = page) => {
    // A new hash alone would not load the page again.
    if (one.url().startsWith(server.url)) await one.goto('about:blank');
    await one.goto(`${server.url}/${address}`);
    await one.locator('.view').first().waitFor();
  };
  return {
    context, page, open, faults,
    another: () => context.newPage(),
    expectRefusal: (path) => refusals.add(path),
    async close() {
      await context.close();
      assert.deepEqual(faults, [], 'the page broke a promise');
    },
  };
}

/** Keeps a picture of the page as an artefact, if the variable SHOTS names a folder for them. */
export async function shot(page, name, options = {}) {
  const place = process.env.SHOTS;
  if (!place) return;
  mkdirSync(place, {recursive: true});
  await page.screenshot({path: join(place, `${name}.png`), ...options});
}

/**
 * A test with a visitor of its own: `where` gives {browser, server}. A failure keeps a picture and
 * says what else went wrong on the page.
 */
export function scenario(name, where, act, options = {}) {
  test(name, {timeout: 120_000}, async () => {
    const {browser, server} = where();
    const visitor = await visit(browser, server, options);
    try {
      await act(visitor);
    } catch (fault) {
      await shot(visitor.page, `failed-${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}`)
        .catch(() => {});
      if (visitor.faults.length) fault.message += `\nand on the page: ${visitor.faults.join('; ')}`;
      await visitor.context.close();
      throw fault;
    }
    await visitor.close();
  });
}
