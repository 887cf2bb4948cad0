// Trainings and matches as they run, and the pages of networks.

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {accessFaults} from '../lib/axe.js';
import {onServer, scenario, shot} from '../lib/browser.js';
import {ACCRUE, run, until} from '../lib/server.js';

const NETWORK = fileURLToPath(new URL('../../../nets/chess-small.accrue', import.meta.url));

const here = onServer(ACCRUE);
const button = (page, name) => page.getByRole('button', {name, exact: true});
const status = (page) => page.locator('.run-header .run-status');
const hasStatus = (page, word, ms) => until(`the status ${word}`, async () =>
  (await status(page).textContent()).includes(word), ms);

/** The points of the longest curve below an element. */
const points = (element) => element.evaluate((node) => Math.max(0,
  ...[...node.querySelectorAll('polyline')].map((line) => line.points.numberOfItems)));

/**
 * Keeps a picture in light, in dark and on a phone, and looks that nothing scrolls sideways. If
 * there is time, axe-core looks too.
 */
async function shots(page, name, hasTime = false) {
  const size = page.viewportSize();
  // High enough for what a page shows without its lists.
  await page.setViewportSize({...size, height: 1100});
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme});
    await shot(page, colorScheme === 'dark' ? `${name}-dark` : name);
    if (hasTime) assert.deepEqual(await accessFaults(page), [], `axe-core on ${name}, ${colorScheme}`);
  }
  await page.emulateMedia({colorScheme: 'light'});
  await page.setViewportSize({width: 360, height: 640});
  await page.waitForTimeout(100);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360,
    `${name} scrolls sideways on a phone`);
  await shot(page, `phone-${name}`);
  await page.setViewportSize(size);
}

scenario('a quickstart is started, drawn while it runs, stopped and resumed', here,
  async ({page, open}) => {
    await open('#/runs');
    await page.getByText('Nothing yet.').waitFor();
    await page.getByLabel('Game', {exact: true}).selectOption('connect_four');
    await page.getByLabel('Minutes').fill('0.4');
    await page.getByLabel('Name').fill('quick');
    await page.getByLabel('Threads').fill('2');
    await button(page, 'Start').click();
    await page.getByRole('heading', {level: 1, name: 'quick'}).waitFor();
    await hasStatus(page, 'Running');
    // The curve of the training grows while one looks.
    const training = page.locator('.run-child', {has: page.locator('polyline')})
      .filter({hasText: 'Validation loss'});
    await training.waitFor({timeout: 60_000});
    const first = await points(training);
    const second = await until('the curve to grow', async () => {
      const now = await points(training);
      return now > first && now;
    }, 30_000);
    assert.ok(second > first && first > 0, `${first} points, then ${second}`);
    await training.getByRole('link').first().click();
    await page.getByText('Architecture', {exact: true}).waitFor();
    await page.getByText('Table of superbatches').waitFor();
    assert.ok(await points(page.locator('.view')) >= second);
    await shots(page, 'runs-training');
    await page.goBack();
    await button(page, 'Stop').click();
    await hasStatus(page, 'Stopped', 20_000);
    await shots(page, 'runs-quickstart', true);
    await button(page, 'Resume').click();
    await hasStatus(page, 'Running');
    await hasStatus(page, 'Finished', 90_000);
    await page.getByRole('link', {name: 'Open the report'}).waitFor();
    await shots(page, 'runs-quickstart-finished', true);
    await page.getByRole('link', {name: '← All runs'}).click();
    await page.getByRole('heading', {name: 'Trainings'}).waitFor();
    // What was read while it was written is read whole.
    assert.equal(await page.getByText(/damaged/).count(), 0);
    assert.match(await page.locator('.run-card', {hasText: 'quick/games'}).textContent(),
      /(\d+) of \1 positions/);
    await shots(page, 'runs-list', true);
    await page.goBack();
    // The network that it made plays.
    await page.getByRole('link', {name: 'Play with its network'}).click();
    await page.getByRole('form', {name: 'New game'}).waitFor();
    const chosen = page.getByRole('form', {name: 'New game'}).getByLabel('Network');
    await until('its network', async () =>
      (await chosen.locator('option:checked').textContent()).includes('quick'));
  });

scenario('a match reaches its verdict while one looks', here, async ({page, open}) => {
  await open('#/runs');
  const journal = join(here().server.root, 'verdict.journal');
  const match = run(ACCRUE(), ['match', `name=small,net=${NETWORK}`,
    'name=random,moves=random', '--movetime', '50', '--time-margin', '5000', '--sprt', '0,200', '--journal', journal,
    '--adjudicate', '--concurrency', '2', '--quiet']);
  try {
    await page.getByRole('link', {name: /verdict/}).first().click({timeout: 20_000});
    await page.getByRole('heading', {name: 'Games in progress'}).waitFor({timeout: 20_000});
    await until('boards of games', async () =>
      await page.locator('.run-game game-board svg').count() >= 1);
    await page.getByText(/^Not decided: /).waitFor();
    await page.getByRole('heading', {name: 'Sequential test'}).waitFor();
    const chart = page.locator('section', {has: page.getByRole('heading', {name: 'Sequential test'})});
    await until('the curve of the test', async () => await points(chart) >= 4, 40_000);
    assert.equal(await page.getByText(/ left$/).count(), 0, 'nobody knows when the test ends');
    await shots(page, 'runs-match');
    await page.getByText(/^H1 accepted: /).waitFor({timeout: 60_000});
    await hasStatus(page, 'Finished', 20_000);
    assert.equal(await match.ended, 0, match.output());
  } finally {
    await match.stop();
  }
  const standings = page.getByRole('region', {name: 'Standings'});
  assert.match(await standings.getByRole('row').nth(1).textContent(), /^small/);
  await shots(page, 'runs-match-finished', true);
  await page.getByRole('button', {name: /^Replay game/}).last().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('game-board svg').waitFor();
  const slider = dialog.getByRole('slider', {name: 'Move', exact: true});
  const last = Number(await slider.inputValue());
  assert.ok(last > 8, `the game has ${last} plies`);
  await dialog.getByRole('button', {name: 'Start'}).click();
  assert.equal(await slider.inputValue(), '0');
  await dialog.getByRole('button', {name: 'Forward'}).click();
  assert.equal(await slider.inputValue(), '1');
  await shot(page, 'runs-match-replay');
  await dialog.getByRole('button', {name: 'Close'}).click();
});

scenario('a network is drawn, described and measured', here, async ({page, open}) => {
  await open('#/networks');
  await page.getByRole('link', {name: 'chess-small', exact: true}).click();
  await page.getByRole('heading', {level: 1, name: 'chess-small'}).waitFor();
  const section = (name) => page.locator('section', {has: page.getByRole('heading', {name})});
  assert.ok(await section('Architecture').locator('svg').count() >= 1);
  assert.ok(await section('Facts').locator('dd').count() >= 3);
  assert.ok(await section('Scales').locator('dd').count() >= 1);
  await section('Provenance').locator('pre').waitFor();
  await button(page, 'Measure speed').click();
  await section('Speed').getByRole('table').waitFor({timeout: 30_000});
  assert.ok(await section('Speed').getByRole('row').count() >= 3);
  await button(page, 'Measure reliability').click();
  await section('Reliability').locator('chart-view > svg').waitFor({timeout: 40_000});
  await page.getByText(/^[\d,]+ positions of .* games/).waitFor();
  await shots(page, 'network-measured', true);
  await page.evaluate(() => scrollTo(0, 0));
  await shot(page, 'network-whole', {fullPage: true});
});
