// For everyone: keyboard only, a phone, and axe-core on each view in light and dark.

import assert from 'node:assert/strict';
import {accessFaults} from '../lib/axe.js';
import {begin, contents, myTurn, tapMove} from '../lib/board.js';
import {onServer, PHONE, scenario, shot} from '../lib/browser.js';
import {ACCRUE, until} from '../lib/server.js';

const here = onServer(ACCRUE);
const VIEWS = {
  'play-chess': '#/play/chess',
  'play-hexchess': '#/play/hexchess',
  'play-connect-four': '#/play/connect_four',
  'analyse-chess-start': '#/analyse/chess',
  'analyse-hexchess': '#/analyse/hexchess',
  'analyse-connect-four': '#/analyse/connect_four',
  runs: '#/runs',
  networks: '#/networks',
  network: '#/networks/chess-small',
};

/** Waits until a view has what it asks the server for. */
async function settled(page) {
  await page.locator('.view h1').first().waitFor({state: 'attached'});
  await page.waitForLoadState('networkidle');
  await until('the view to be loaded', async () => await page.locator('.loading:visible').count() === 0
    || page.getByText('Nothing yet.').isVisible());
}

const focused = (page) => page.evaluate(() => {
  const element = document.activeElement;
  return {tag: element.tagName, text: element.textContent.trim().slice(0, 40),
    label: element.getAttribute('aria-label') ?? ''};
});

/** Presses a key until the focus is where it should be. */
async function press(page, key, isThere, most = 40) {
  for (let count = 0; count < most; count += 1) {
    await page.keyboard.press(key);
    const now = await focused(page);
    if (await isThere(now)) return now;
  }
  throw new Error(`${most} times ${key} do not lead there; the focus is on `
    + JSON.stringify(await focused(page)));
}

/** Goes to a cell with the arrow keys: along the column, then the row, until it is reached. */
async function walk(page, name) {
  for (let step = 0; step < 40; step += 1) {
    const key = await page.evaluate((wanted) => {
      const board = document.querySelector('game-board');
      const cells = board.game.cells.map((cell) => cell.name);
      const at = board.layout.centres[cells.indexOf(document.activeElement
        .getAttribute('aria-label').split(',')[0])];
      const to = board.layout.centres[cells.indexOf(wanted)];
      if (Math.abs(to.x - at.x) > 1) return to.x > at.x ? 'ArrowRight' : 'ArrowLeft';
      if (Math.abs(to.y - at.y) > 1) return to.y > at.y ? 'ArrowDown' : 'ArrowUp';
      return null;
    }, name);
    if (!key) return;
    await page.keyboard.press(key);
  }
  throw new Error(`the arrow keys do not reach ${name}`);
}

async function keyboardGame(page, open, game, from, to) {
  await open(`#/play/${game}`);
  await settled(page);
  // From the top of the page to the button that begins the game.
  await press(page, 'Tab', ({tag, text}) => tag === 'BUTTON' && text === 'Play');
  await page.keyboard.press('Enter');
  await myTurn(page);
  await page.evaluate(() => document.activeElement.blur());
  await press(page, 'Tab', ({label}) => /^[a-l]\d+, /.test(label));
  await walk(page, from);
  await page.keyboard.press('Enter');
  await walk(page, to);
  assert.match((await focused(page)).label, /legal target/);
  assert.equal(await page.locator('game-board .cursor').getAttribute('visibility'), 'visible');
  await page.keyboard.press('Enter');
  assert.match(await contents(page, to), /^white /);
  assert.equal(await contents(page, from), 'empty');
  await myTurn(page);
}

scenario('chess by keyboard alone', here, ({page, open}) =>
  keyboardGame(page, open, 'chess', 'g1', 'f3'));

scenario('hexchess by keyboard alone', here, ({page, open}) =>
  keyboardGame(page, open, 'hexchess', 'f5', 'f6'));

scenario('all views are reached by Tab', here, async ({page, open}) => {
  await open('#/play');
  for (const [name, title] of [['Analyse', /^Analyse/], ['Runs', /^Runs/], ['Networks', /^Networks/],
    ['Play', /^Play/]]) {
    const back = name === 'Analyse' ? 'Tab' : 'Shift+Tab';
    await press(page, back, ({tag, text}) => tag === 'A' && text === name, 20);
    await page.keyboard.press('Enter');
    await until(`the view ${name}`, async () => title.test(await page.title()));
    await settled(page);
    // Something of the view itself takes the focus.
    await press(page, 'Tab', () => page.evaluate(() =>
      document.querySelector('.view').contains(document.activeElement)), 12);
  }
});

scenario('a phone: nothing scrolls sideways, and a tap plays', here, async ({page, open}) => {
  for (const [name, address] of Object.entries(VIEWS)) {
    await open(address);
    await settled(page);
    const {width, wide} = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      wide: [...document.querySelectorAll('.view *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1
          && !element.closest('.scroll-x, .net-drawing, svg, .run-command, pre'))
        .slice(0, 3).map((element) => element.outerHTML.slice(0, 100)),
    }));
    assert.ok(width <= 360, `${name} is ${width} pixels wide: ${wide}`);
    await shot(page, `phone-${name}`, {fullPage: true});
  }
  await open('#/play/chess');
  await begin(page, {game: 'chess', level: '4'});
  await tapMove(page, 'e2', 'e4');
  assert.equal(await contents(page, 'e4'), 'white pawn');
  assert.equal(await myTurn(page), true);
  await shot(page, 'phone-play-chess-game');
  await open('#/play/hexchess');
  await begin(page, {game: 'hexchess', level: '4'});
  await tapMove(page, 'f5', 'f6');
  assert.equal(await myTurn(page), true);
  await shot(page, 'phone-play-hexchess-game');
}, PHONE);

for (const colorScheme of ['light', 'dark']) {
  scenario(`axe-core finds no serious fault, ${colorScheme}`, here, async ({page, open}) => {
    const found = [];
    const look = async (name) => {
      for (const fault of await accessFaults(page)) found.push(`${name}: ${fault}`);
    };
    for (const [name, address] of Object.entries(VIEWS)) {
      await open(address);
      await settled(page);
      await look(name);
      await shot(page, `${name}${colorScheme === 'dark' ? '-dark' : ''}`);
    }
    await open('#/play/chess');
    await begin(page, {game: 'chess', level: '4'});
    await myTurn(page);
    await look('a game of chess');
    await page.getByRole('button', {name: 'Share', exact: true}).click();
    await look('the dialog of a game');
    assert.deepEqual(found, []);
  }, {colorScheme});
}
