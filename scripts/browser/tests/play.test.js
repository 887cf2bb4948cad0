// The Play view: what a person does around the moves of a game.

import assert from 'node:assert/strict';
import {begin, board, cell, clickMove, contents, dragMove, hint, moves, myTurn}
  from '../lib/board.js';
import {onServer, scenario, shot} from '../lib/browser.js';
import {ACCRUE, until} from '../lib/server.js';

const here = onServer(ACCRUE);
const button = (page, name) => page.getByRole('button', {name, exact: true});
const list = (page) => page.locator('.moves button').allTextContents();

scenario('a reload keeps the game, also while the engine thinks', here, async ({page, open}) => {
  await open('#/play/chess');
  // Full strength thinks for three seconds.
  await begin(page, {game: 'chess', level: '9'});
  await clickMove(page, 'd2', 'd4');
  await page.getByText('accrue is thinking …').waitFor();
  await page.reload();
  await page.locator('.headline').waitFor();
  assert.deepEqual(await list(page), ['d4']);
  await page.getByText('accrue is thinking …').waitFor();
  assert.equal(await myTurn(page), true);
  assert.equal((await list(page)).length, 2);
  const before = await list(page);
  await page.reload();
  assert.equal(await myTurn(page), true);
  assert.deepEqual(await list(page), before);
  assert.equal(await contents(page, 'd4'), 'white pawn');
});

scenario('the move list is clicked through, and keys step', here, async ({page, open}) => {
  await open('#/play/chess');
  await begin(page, {game: 'chess'});
  await dragMove(page, 'e2', 'e4');
  await myTurn(page);
  await clickMove(page, 'g1', 'f3');
  await myTurn(page);
  await page.locator('.moves button').first().click();
  await page.getByText(/^Looking at 1\. ?e4$/).waitFor();
  assert.equal(await contents(page, 'f3'), 'empty');
  assert.equal(await contents(page, 'e4'), 'white pawn');
  await button(page, 'First position').click();
  assert.equal(await contents(page, 'e4'), 'empty');
  await page.keyboard.press('End');
  await page.getByText('Your move').waitFor();
  assert.equal(await contents(page, 'f3'), 'white knight');
  await button(page, 'Back').click();
  await button(page, 'Back').click();
  await button(page, 'Play on from here').click();
  await myTurn(page);
  assert.equal((await list(page)).length, 2);
});

scenario('legal targets are shown; an illegal one plays nothing', here, async ({page, open}) => {
  await open('#/play/chess');
  await begin(page, {game: 'chess'});
  await myTurn(page);
  await cell(page, 'b1').click({force: true});
  assert.equal(await board(page).locator('.target').count(), 2);
  assert.equal(await board(page).getByRole('button', {name: /legal target/}).count(), 2);
  await cell(page, 'b4').click({force: true});
  assert.equal(await board(page).locator('.target').count(), 0);
  await dragMove(page, 'b1', 'b5');
  assert.equal(await contents(page, 'b1'), 'white knight');
  assert.deepEqual(await list(page), []);
});

scenario('flip, hint and resign', here, async ({page, open}) => {
  await open('#/play/hexchess');
  await begin(page, {game: 'hexchess', side: 'Black', level: '4'});
  await myTurn(page);
  assert.equal((await list(page)).length, 1);
  const top = async () => (await cell(page, 'f1').boundingBox()).y;
  const atBlack = await top();
  await button(page, 'Flip').click();
  await until('the board to turn', async () => await top() > atBlack + 100);
  await button(page, 'Flip').click();
  for (let turn = 0; turn < 5; turn += 1) {
    const move = await hint(page);
    await (turn % 2 ? dragMove : clickMove)(page, move.from, move.to);
    assert.equal(await myTurn(page), true);
  }
  const move = await hint(page);
  assert.ok(move, 'the hint is a legal move');
  assert.equal(await board(page).locator('.kind-hint').count(), 1);
  await shot(page, 'play-hexchess-hint');
  await clickMove(page, move.from, move.to);
  await myTurn(page);
  await button(page, 'Resign').click();
  await page.getByRole('dialog', {name: 'Resign?'}).getByRole('button', {name: 'Resign'}).click();
  await page.getByText('White wins by resignation · 1-0', {exact: true}).waitFor();
  assert.equal(await page.locator('.headline').textContent(), 'accrue wins');
  assert.deepEqual(await moves(page), []);
});

scenario('PGN and FEN out and in', here, async ({page, open, expectRefusal}) => {
  await open('#/play/chess');
  await begin(page, {game: 'chess', level: '4'});
  await clickMove(page, 'e2', 'e4');
  await myTurn(page);
  const [first, answer] = await list(page);
  assert.equal(first, 'e4');
  await button(page, 'Share').click();
  const share = page.getByRole('dialog', {name: 'Share'});
  const pgn = await share.getByLabel(/^PGN/).inputValue();
  const fen = await share.getByLabel(/^FEN/).inputValue();
  await share.getByRole('button', {name: 'Close'}).click();
  assert.match(pgn, /\[White "You"\]/);
  assert.ok(pgn.includes(`1. e4 ${answer}`), pgn);
  // The position alone, as the start of a new game.
  await begin(page, {game: 'chess', level: '4', fen});
  await myTurn(page);
  assert.deepEqual(await list(page), []);
  assert.equal(await contents(page, 'e4'), 'white pawn');
  // The game with its moves.
  await button(page, 'Open PGN').click();
  const dialog = page.getByRole('dialog', {name: 'Open a PGN'});
  expectRefusal('/api/pgn/read');
  await dialog.getByRole('textbox').fill('this is no game');
  await dialog.getByRole('button', {name: 'Open', exact: true}).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('textbox').fill(pgn);
  await dialog.getByRole('button', {name: 'Open', exact: true}).click();
  await dialog.waitFor({state: 'detached'});
  await myTurn(page);
  assert.deepEqual(await list(page), ['e4', answer]);
});

scenario('a clock runs and a flag falls', here, async ({page, open}) => {
  await open('#/play/connect_four');
  const form = page.getByRole('form', {name: 'New game'});
  await form.getByLabel('Clock').selectOption('custom');
  // Less than five seconds are five.
  await form.getByLabel('Minutes').fill('0.01');
  await form.getByLabel('Seconds a move').fill('0');
  await begin(page, {game: 'connect_four'});
  assert.equal(await page.getByRole('timer').count(), 2);
  await cell(page, 'd1').click({force: true});
  await myTurn(page);
  await page.getByText('Black wins on time · 0-1', {exact: true}).waitFor({timeout: 8000});
});

scenario('two pages of one browser have games of their own', here, async (visitor) => {
  const {page, open} = visitor;
  await open('#/play/chess');
  await begin(page, {game: 'chess', level: '4'});
  const second = await visitor.another();
  await open('#/play/connect_four', second);
  await begin(second, {game: 'connect_four', level: '4'});
  await Promise.all([clickMove(page, 'c2', 'c4'), cell(second, 'd1').click({force: true})]);
  await Promise.all([myTurn(page), myTurn(second)]);
  await Promise.all([page.reload(), second.reload()]);
  await Promise.all([myTurn(page), myTurn(second)]);
  assert.equal((await list(page))[0], 'c4');
  assert.equal(await contents(second, 'd1'), 'red disc');
});
