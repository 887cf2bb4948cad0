// The Analyse view: lines, arrows, the band, overlays, the curve and reviews.

import assert from 'node:assert/strict';
import {begin, board, clickMove, contents, myTurn} from '../lib/board.js';
import {onServer, scenario, shot} from '../lib/browser.js';
import {ACCRUE, processorTime, until} from '../lib/server.js';

/** 1. Ra6 forces mate on the next move. */
const MATE_IN_TWO = 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1';
/** A Spanish game in which White leaves the queen hanging on move 10. */
const BLUNDER = `[White "Careless"]
[Black "Careful"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Qe2 b5 7. Bb3 O-O 8. c3 d5
9. exd5 Nxd5 10. Qxe5 Nxe5 11. Nxe5 Bf6 12. d4 Re8 *`;

const here = onServer(ACCRUE);
const button = (page, name) => page.getByRole('button', {name, exact: true});
const analysis = (page) => page.getByRole('switch', {name: 'Analysis'});
const lines = (page) => page.getByRole('list', {name: 'Lines of the analysis'}).first()
  .getByRole('listitem');
const current = (page) => page.locator('.an-move[aria-current]');

async function paste(page, text, how = 'Show') {
  await button(page, 'Paste').click();
  const dialog = page.getByRole('dialog', {name: 'Paste a position or a game'});
  await dialog.getByRole('textbox').fill(text);
  await dialog.getByRole('button', {name: how, exact: true}).click();
  await dialog.waitFor({state: 'detached'});
}

async function isWithin(inner, outer) {
  const [a, b] = await Promise.all([inner.boundingBox(), outer.boundingBox()]);
  return a.y >= b.y && a.y + a.height <= b.y + b.height;
}

/** How much the server computes, as a share of one processor, over some time. */
async function load(ms) {
  const begin = processorTime(here().server.pid);
  await new Promise((resolve) => { setTimeout(resolve, ms); });
  return (processorTime(here().server.pid) - begin) / ms;
}

scenario('analysis finds a mate and shows it as an arrow', here, async ({page, open}) => {
  await open('#/analyse/chess');
  await paste(page, MATE_IN_TWO);
  await analysis(page).click();
  await page.locator('.an-score').first().getByText('#2', {exact: true}).waitFor();
  await lines(page).first().getByRole('button', {name: '1. Ra6'}).waitFor();
  assert.match(await lines(page).first().textContent(), /^#21\. Ra6/);
  await page.getByTitle(/^White mates in 2, depth/).waitFor();
  assert.ok(await board(page).locator('.kind-best line').count() >= 1, 'there is an arrow');
  const best = await board(page).evaluate((element) => {
    const {from, to} = element.arrows.at(-1);
    return [element.game.cells[from].name, element.game.cells[to].name];
  });
  assert.deepEqual(best, ['a1', 'a6']);
  // The line can be played from.
  await lines(page).first().getByRole('button', {name: '1. Ra6'}).click();
  assert.equal(await contents(page, 'a6'), 'white rook');
});

scenario('several lines, which stop when they are switched off', here, async ({page, open}) => {
  await open('#/analyse/chess');
  await page.getByLabel('Lines', {exact: true}).selectOption('4');
  await analysis(page).click();
  await until('four lines', async () => await lines(page).count() === 4);
  const stats = page.locator('.an-stats').first();
  const depth = async () => Number(/depth (\d+)/.exec(await stats.textContent())?.[1] ?? 0);
  const first = await depth();
  await until('a deeper search', async () => await depth() > first);
  assert.match(await stats.textContent(), /depth \d+\/\d+ · .* nodes · .*\/s/);
  assert.ok(await load(500) > 0.1, 'the server searches');
  await analysis(page).click();
  await page.waitForTimeout(500);
  assert.ok(await load(1000) < 0.06, 'the server is idle when the analysis is off');
  assert.equal(await analysis(page).getAttribute('aria-checked'), 'false');
});

scenario('the bar has the band of the network', here, async ({page, open}) => {
  await open('#/analyse/chess');
  const bar = page.locator('eval-bar').first();
  await until('the band', async () =>
    /80 % interval \d+ % to \d+ %/.test(await bar.getAttribute('aria-label')));
  const box = await bar.locator('.bar-wide').boundingBox();
  assert.ok(box.width > 2 && box.height > 10, `the band is drawn: ${JSON.stringify(box)}`);
  // Two networks side by side; a linear one has no quantiles, and says so.
  await page.getByLabel('Compare two networks').check();
  await page.getByLabel('Second network').last().selectOption('chess-linear');
  await page.getByText('No interval: this network has no quantiles.').waitFor();
  await analysis(page).click();
  await until('lines of both networks', async () =>
    await page.locator('.an-network:nth-of-type(2) .an-lines li').count() >= 1);
  await shot(page, 'analyse-two-networks');
});

scenario('overlays of the policy and of the pieces', here, async ({page, open}) => {
  await open('#/analyse/chess');
  await button(page, 'Policy arrows').click();
  await until('arrows of the policy', async () =>
    await board(page).locator('.kind-policy').count() >= 3);
  await button(page, 'Policy heat').click();
  await until('the heat map', async () => await board(page).locator('.layer-heat use').count() >= 3);
  await button(page, 'Piece values').click();
  await until('the contributions', async () =>
    await board(page).locator('.layer-labels text').count() >= 20);
  const labels = await board(page).locator('.layer-labels text').allTextContents();
  assert.ok(labels.some((text) => text.startsWith('+')) && labels.some((text) => text.startsWith('−')));
  assert.equal(await button(page, 'Policy heat').getAttribute('aria-pressed'), 'false');
  await shot(page, 'analyse-overlays');
});

scenario('a review names the planted blunder, and the curve is clickable', here,
  async ({page, open}) => {
    await open('#/analyse/chess');
    await page.getByLabel('Nodes a move').selectOption('2000');
    await paste(page, BLUNDER, 'Paste and review');
    await page.getByText('All 24 moves are reviewed.').waitFor({timeout: 60_000});
    const worst = page.locator('.an-worst button');
    const named = await worst.allTextContents();
    assert.ok(named.length >= 1 && named.length <= 3, `three at most: ${named}`);
    assert.ok(named.some((text) => text.startsWith('10.Qxe5?? lost ')), `the blunder: ${named}`);
    await worst.filter({hasText: '10.Qxe5'}).click();
    assert.match(await current(page).textContent(), /^Qxe5/);
    assert.ok(await isWithin(current(page), page.locator('.an-moves-list')), 'the list follows');
    await page.getByText(/^Blunder: 10\.Qxe5/).waitFor();
    const chart = page.getByRole('slider', {name: 'Curve of the game'});
    // The network's curve and that of the search, the start included.
    await until('both curves', () => chart.evaluate((element) =>
      [...element.querySelectorAll('polyline')]
        .filter((line) => line.points.numberOfItems === 25).length === 2));
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    await page.mouse.click(box.x + box.width * 0.45, box.y + box.height / 2);
    await until('another move', async () => !/^Qxe5/.test(await current(page).textContent()));
    await shot(page, 'analyse-review');
    await chart.focus();
    await page.keyboard.press('End');
    await until('the last move', async () => (await current(page).textContent()).startsWith('Re8'));
    await button(page, 'Share').click();
    const share = page.getByRole('dialog').last();
    assert.match(await share.locator('textarea').last().inputValue(), /10\. Qxe5/);
  });

scenario('a game goes from Play to Analyse and back', here, async ({page, open}) => {
  await open('#/play/chess');
  await begin(page, {game: 'chess', level: '4'});
  await clickMove(page, 'd2', 'd4');
  await myTurn(page);
  await page.getByRole('link', {name: 'Analyse this game'}).click();
  await page.locator('.an-move').first().waitFor();
  assert.equal(await page.locator('.an-move').count(), 2);
  await clickMove(page, 'c2', 'c4');
  await until('the move', async () => await page.locator('.an-move').count() === 3);
  // A variation: back to the start, another first move.
  await button(page, 'To the start').click();
  await clickMove(page, 'e2', 'e4');
  await page.locator('.an-variation').waitFor();
  await page.reload();
  await page.locator('.an-variation').waitFor();
  await button(page, 'Play on').click();
  await page.locator('.headline').waitFor();
  await until('the move of the variation', async () =>
    (await page.locator('.moves button').allTextContents())[0] === 'e4');
});

scenario('a page that is closed ends its search', here, async (visitor) => {
  const {page, open} = visitor;
  await open('#/analyse/chess');
  const second = await visitor.another();
  await open('#/analyse/hexchess', second);
  await analysis(second).click();
  await until('lines', async () => await lines(second).count() >= 1);
  await analysis(page).click();
  await until('lines', async () => await lines(page).count() >= 1);
  assert.ok(await load(500) > 0.1, 'both pages search');
  await page.close();
  await until('lines', async () => await lines(second).count() >= 1);
  await second.close();
  await new Promise((resolve) => { setTimeout(resolve, 1000); });
  assert.ok(await load(1000) < 0.06, 'the server is idle a second after its last page is closed');
});

scenario('a chess game with analysis and its band, for the README', here, async ({page, open}) => {
  await open('#/analyse/chess');
  await page.setViewportSize({width: 1280, height: 1290});
  await paste(page, BLUNDER.replace(/ 10\. Qxe5.*/s, ' *'));
  await button(page, 'To the end').click();
  await analysis(page).click();
  await until('a deep search', async () =>
    Number(/depth (\d+)/.exec(await page.locator('.an-stats').first().textContent())?.[1]) >= 10,
  20_000);
  await page.locator('chart-view svg').first().waitFor();
  await shot(page, 'analyse-chess');
  await page.emulateMedia({colorScheme: 'dark'});
  await shot(page, 'analyse-chess-dark');
});
