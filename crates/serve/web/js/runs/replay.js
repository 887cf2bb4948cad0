// The replay of a finished game, in a dialog that the updates of the page do not touch.

import {get, post} from '../api.js';
import {h, toast} from '../dom.js';
import {href} from '../router.js';
import {saveLine} from '../store.js';

let opened = 0;

function frame(title, replay, curve, line) {
  const id = `replay-${opened += 1}`;
  const element = h('dialog', {class: 'dialog run-replay', 'aria-labelledby': id});
  const analyse = h('a', {class: 'button', href: href('analyse', [line.game]), onclick: () => {
    saveLine(line.game, line);
    element.close();
  }}, 'Analyse');
  const close = h('button',
    {type: 'button', class: 'button', onclick: () => element.close()}, 'Close');
  const buttons = h('div', {class: 'dialog-buttons'}, analyse, close);
  element.append(h('div', {}, h('h2', {id}, title),
    h('div', {class: 'run-replay-body'}, replay, h('div', {}, curve, buttons))));
  // A click on the backdrop arrives at the element itself.
  element.addEventListener('pointerdown', (event) => {
    if (event.target === element) element.close();
  });
  element.addEventListener('close', () => element.remove());
  return element;
}

/** The scores that the engines gave, below the game; a pick goes to that move. */
async function addCurve(place, replay, {line, scores}, signal) {
  if (!scores?.some((score) => score !== null)) return;
  const {svg} = await post('/api/curve', {line, network: null, scores}, {signal});
  const chart = h('chart-view', {pick: true, 'aria-label': 'Scores by move'});
  Object.assign(chart, {svg, cursor: replay.ply, valueText: (x) => `move ${Math.round(x)}`});
  chart.addEventListener('pick', (event) => { replay.ply = Math.round(event.detail.x); });
  replay.addEventListener('ply', () => { chart.cursor = replay.ply; });
  place.append(chart);
}

/** Opens the replay of a game of a match. */
export async function openReplay(path, number, {games, signal}) {
  try {
    const [played] = await Promise.all([get('/api/run/game', {path, number}, {signal}),
      import('/report/replay.js')]);
    const {line, white, black, result, reason} = played;
    const {start, history} = await post('/api/position', line, {signal});
    const game = games.games.find((known) => known.name === line.game);
    const replay = h('game-replay');
    const curve = h('div');
    const element = frame(`Game ${number}: ${white} – ${black}, ${result}`, replay, curve, line);
    document.body.append(element);
    element.showModal();
    // Only what is shown can scroll to its move.
    replay.data = {game, start, history, white, black, result, reason};
    replay.querySelector('button')?.focus();
    signal.addEventListener('abort', () => element.close());
    // The game is worth showing without its curve.
    addCurve(curve, replay, played, signal).catch(() => {});
  } catch (fault) {
    if (!signal.aborted) toast(fault.message);
  }
}
