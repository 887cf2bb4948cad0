// Whole games against the engine, by mouse: each game of the toolkit, and one from outside.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {begin, contents, hint, moves, myTurn, play} from '../lib/board.js';
import {launch, scenario, shot} from '../lib/browser.js';
import {ACCRUE, BREAKTHROUGH, serve} from '../lib/server.js';

let browser;
let server;
let outside;
before(async () => {
  [browser, server, outside] = await Promise.all([launch(), serve(ACCRUE()), serve(BREAKTHROUGH())]);
});
after(() => Promise.all([browser?.close(), server?.stop(), outside?.stop()]));

const inside = () => ({browser, server});
const elsewhere = () => ({browser, server: outside});
const detail = (page) => page.locator('.status p').nth(1).textContent();

/** Plays by hints, alternately dragging and clicking, until the game is over. */
async function playOn(page, most) {
  for (let turn = 0; turn < most; turn += 1) {
    if (!await myTurn(page)) return;
    await play(page, await hint(page), turn % 2 ? 'click' : 'drag');
  }
  assert.equal(await myTurn(page), false, `the game is not over after ${most} moves of the hints`);
}

/** Promotes to a rook, takes it back, and promotes to a queen. */
async function promoteTwice(page, from, to) {
  const choices = (await moves(page)).filter((move) => move.from === from && move.to === to);
  assert.deepEqual(choices.map(({piece}) => piece).sort(), ['B', 'N', 'Q', 'R']);
  await play(page, choices.find(({piece}) => piece === 'R'), 'drag');
  assert.equal(await myTurn(page), true);
  assert.equal(await contents(page, to), 'white rook');
  await page.getByRole('button', {name: 'Take back'}).click();
  assert.equal(await myTurn(page), true);
  await page.getByText('No moves yet').waitFor();
  assert.equal(await contents(page, from), 'white pawn');
  assert.equal(await contents(page, to), 'empty');
  await play(page, choices.find(({piece}) => piece === 'Q'), 'click');
  await page.locator('.moves button').first().waitFor();
  assert.equal(await contents(page, to), 'white queen');
}

scenario('chess: an under-promotion, a take-back, a promotion and mate', inside, async ({page, open}) => {
  await open('#/play/chess');
  await begin(page, {game: 'chess', fen: '8/4P3/8/8/8/2K5/8/k7 w - - 0 1'});
  assert.equal(await myTurn(page), true);
  await promoteTwice(page, 'e7', 'e8');
  await playOn(page, 20);
  assert.equal(await page.locator('.headline').textContent(), 'You win');
  assert.match(await detail(page), /White wins by checkmate · 1-0/);
  await shot(page, 'play-chess-mate');
});

scenario('hexchess: an under-promotion, a take-back, a promotion and mate', inside, async ({page, open}) => {
  await open('#/play/hexchess');
  await begin(page, {game: 'hexchess', fen: '1/1P1/5/7/9/11/k10/11/4Q1R4/11/5K5 w - 0 1'});
  assert.equal(await myTurn(page), true);
  await promoteTwice(page, 'f10', 'f11');
  await playOn(page, 20);
  assert.equal(await page.locator('.headline').textContent(), 'You win');
  assert.match(await detail(page), /White wins by checkmate · 1-0/);
  await shot(page, 'play-hexchess-mate');
});

scenario('connect four: from the first disc to the end', inside, async ({page, open}) => {
  await open('#/play/connect_four');
  await begin(page, {game: 'connect_four'});
  assert.equal(await myTurn(page), true);
  // A click anywhere in a column drops a disc to its lowest free cell.
  await play(page, {from: null, to: 'd5'});
  assert.equal(await contents(page, 'd1'), 'red disc');
  await playOn(page, 21);
  assert.match(await page.locator('.headline').textContent(), /^(You win|accrue wins|Draw)$/);
  assert.match(await detail(page), /four in a row|the board is full|drawn?/i);
  await shot(page, 'play-connect-four-end');
});

scenario('breakthrough: a game from outside, from the first move to the end', elsewhere, async ({page, open}) => {
  await open('#/play/breakthrough');
  await begin(page, {game: 'breakthrough'});
  await playOn(page, 80);
  assert.match(await page.locator('.headline').textContent(), /^(You win|accrue wins)$/);
  assert.match(await detail(page), / wins .* · (1-0|0-1)$/);
  await shot(page, 'play-breakthrough-end');
});

test('the program of a game from outside has the other games too', async () => {
  const {games} = await outside.get('/api/games');
  const names = games.map(({name}) => name);
  for (const name of ['chess', 'hexchess', 'connect_four', 'breakthrough']) {
    assert.ok(names.includes(name), `${name} is missing among ${names}`);
  }
});
