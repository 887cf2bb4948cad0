// A board as a person uses it: its cells by their names, with a mouse, a finger or keys.

import {until} from './server.js';

/** The board of the page. */
export const board = (page) => page.locator('.view game-board').first();

/** A cell by its name, such as "e4", as assistive technology sees it. */
export function cell(page, name) {
  return board(page).getByRole('button', {name: new RegExp(`^${name}, `)});
}

/** What is on a cell: "white pawn", "empty". */
export async function contents(page, name) {
  const label = await cell(page, name).getAttribute('aria-label');
  return label.split(', ')[1];
}

async function middle(page, name) {
  const box = await cell(page, name).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Moves by a click on the piece and a click on the target. */
export async function clickMove(page, from, to) {
  await page.mouse.click(...await middle(page, from));
  await page.mouse.click(...await middle(page, to));
}

/** Moves by dragging. */
export async function dragMove(page, from, to) {
  const [x, y] = await middle(page, from);
  const end = await middle(page, to);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move((x + end[0]) / 2, (y + end[1]) / 2, {steps: 4});
  await page.mouse.move(...end, {steps: 4});
  await page.mouse.up();
}

/** Places a piece by a click. */
export async function clickCell(page, name) {
  await page.mouse.click(...await middle(page, name));
}

/** Moves by two taps. */
export async function tapMove(page, from, to) {
  await page.touchscreen.tap(...await middle(page, from));
  await page.touchscreen.tap(...await middle(page, to));
}

/** The legal moves that the board shows: [{text, san, from, to, piece}] with names of cells. */
export function moves(page) {
  return board(page).evaluate((element) => element.moves.map((move) => ({
    ...move,
    from: element.game.cells[move.from]?.name ?? null,
    to: element.game.cells[move.to]?.name ?? null,
  })));
}

/** Waits until it is the person's turn, or the game is over; true if it goes on. */
export async function myTurn(page, ms = 30_000) {
  const headline = page.locator('.headline');
  const text = await until('the answer of the engine', async () => {
    const now = await headline.textContent();
    return /^(Your move|You win|accrue wins|Draw)$/.test(now) && now;
  }, ms, 30);
  return text === 'Your move';
}

/** Asks for a hint and gives the move that it names. */
export async function hint(page) {
  await page.getByRole('button', {name: 'Hint', exact: true}).click();
  const text = await until('the hint', async () => {
    const now = await page.locator('.headline').textContent();
    return now.startsWith('Hint: ') && now.slice(6);
  }, 30_000, 30);
  return (await moves(page)).find(({san}) => san === text);
}

/** Plays a move by mouse: `how` is "click" or "drag"; a choice is made in the picker. */
export async function play(page, move, how = 'click') {
  const isChoice = (await moves(page))
    .filter(({from, to}) => from === move.from && to === move.to).length > 1;
  if (move.from === null) await clickCell(page, move.to);
  else if (how === 'drag') await dragMove(page, move.from, move.to);
  else await clickMove(page, move.from, move.to);
  if (isChoice) await pick(page, move.piece);
}

const NAMES = {N: 'knight', B: 'bishop', R: 'rook', Q: 'queen'};

/** Chooses a piece in the picker. */
export async function pick(page, letter) {
  const dialog = page.getByRole('dialog', {name: 'Choose the piece'});
  const button = dialog.getByRole('button', {name: NAMES[letter.toUpperCase()]});
  const box = await button.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await dialog.waitFor({state: 'detached'});
}

/** Starts a game with the form of the Play view. */
export async function begin(page, {game, fen = null, side = 'White', level = '1'}) {
  const newGame = page.getByRole('button', {name: 'New game', exact: true});
  if (await newGame.isVisible()) await newGame.click();
  const form = page.getByRole('form', {name: 'New game'});
  await form.getByLabel('Game', {exact: true}).selectOption(game);
  await form.getByRole('radio', {name: side}).check();
  await form.getByLabel('Strength').selectOption(level);
  if (fen) {
    const more = form.locator('details.more');
    if (!await more.evaluate((element) => element.open)) await more.locator('summary').click();
    await form.getByRole('button', {name: 'From a FEN …'}).click();
    const dialog = page.getByRole('dialog', {name: 'Start from a position'});
    await dialog.getByRole('textbox').fill(fen);
    await dialog.getByRole('button', {name: 'Use this position'}).click();
    await dialog.waitFor({state: 'detached'});
  }
  await form.getByRole('button', {name: 'Play', exact: true}).click();
  await page.getByRole('region', {name: 'Game', exact: true}).waitFor();
}
