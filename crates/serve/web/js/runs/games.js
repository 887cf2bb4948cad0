// The games of a match: those in progress on small boards, and the finished ones to replay.

import {h} from '../dom.js';
import {count, plural} from './format.js';
import {keyed, optional, section, setText, table} from './parts.js';
import {openReplay} from './replay.js';

/** How many finished games are listed at first; more on demand. */
const LISTED = 50;

function liveBoard({games}) {
  return () => {
    const board = h('game-board');
    const names = h('figcaption');
    return {node: h('figure', {class: 'run-game'}, board, names), update(value) {
      board.game = games.games.find((known) => known.name === value.line.game);
      board.pieces = value.pieces;
      board.last = value.last;
      setText(names, `${value.number}: ${value.white} – ${value.black}, move `
        + `${Math.floor(value.ply / 2) + 1}`);
    }};
  };
}

/** The games in progress. Takes a RunView. */
export function liveGames(context) {
  const boards = keyed(h('div', {class: 'run-boards'}), (game) => game.number, liveBoard(context));
  return optional(section('Games in progress', boards), (view) => view.live);
}

function columns(path, context) {
  return [
    {title: 'Game', of: (row) => String(row.number)},
    {title: 'Replay', make: ({number}) => ({node: h('button', {type: 'button',
      class: 'button run-copy', 'aria-label': `Replay game ${number}`,
      onclick: () => openReplay(path(), number, context)}, 'Replay'), update() {}})},
    {title: 'Result', of: (row) => row.result},
    {title: 'White', of: (row) => row.white},
    {title: 'Black', of: (row) => row.black},
    {title: 'Reason', of: (row) => row.reason},
    {title: 'Plies', of: (row) => count(row.plies), numeric: true},
  ];
}

/** The finished games, newest first. Takes a RunView. */
export function finishedGames(context) {
  let [latest, listed] = [null, LISTED];
  const rows = table('Finished games', columns(() => latest.path, context), (row) => row.number);
  const more = h('button', {type: 'button', class: 'button', hidden: true, onclick: () => {
    listed = Infinity;
    update(latest);
  }});
  const part = section('Finished games', {node: h('div', {}, rows.node, more)});
  const update = (view) => {
    latest = view;
    part.node.hidden = view.games.length === 0;
    rows.update(view.games.slice(0, listed));
    more.hidden = view.games.length <= listed;
    setText(more, `Show ${plural(view.games.length - listed, 'older game')}`);
  };
  return {node: part.node, update};
}
