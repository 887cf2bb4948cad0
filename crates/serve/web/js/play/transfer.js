// Games out and in: FEN and PGN.

import {post} from '../api.js';
import {copyText, download, fill, h} from '../dom.js';
import {dialog} from '../dialog.js';

/** Shows the FEN of the position that is looked at and the PGN of the whole game. */
export async function shareGame(session, plies, players) {
  const ending = session.ending;
  const [shown, {pgn}] = await Promise.all([
    post('/api/position', session.line(plies)),
    post('/api/pgn/write', {line: session.line(), tags: players, result: ending?.result ?? '*',
      reason: ending?.text ?? ''}),
  ]);
  const fen = h('input', {id: 'share-fen', readonly: true});
  fen.value = shown.fen;
  const text = h('textarea', {id: 'share-pgn', class: 'text-area', rows: 9, readonly: true});
  text.value = pgn;
  const copy = (label, value) => h('button', {type: 'button', class: 'button',
    onclick: () => copyText(value, label)}, `Copy ${label}`);
  await dialog('Share', h('div', {class: 'fields'},
    h('div', {class: 'field'}, h('label', {for: 'share-fen'}, 'FEN of the position on the board'),
      fen, h('div', {class: 'row'}, copy('FEN', shown.fen))),
    h('div', {class: 'field'}, h('label', {for: 'share-pgn'}, 'PGN of the game'), text,
      h('div', {class: 'row'}, copy('PGN', pgn),
        h('button', {type: 'button', class: 'button',
          onclick: () => download(`${session.state.game}.pgn`, pgn)}, 'Download PGN')))));
}

/** Asks for a PGN; calls `onOpen({tags, line, result})` with the game that was chosen. */
export function openPgn(game, onOpen) {
  const text = h('textarea', {id: 'pgn-text', class: 'text-area', rows: 9, spellcheck: 'false'});
  const choice = h('select', {id: 'pgn-choice'});
  const choices = h('div', {class: 'field', hidden: true},
    h('label', {for: 'pgn-choice'}, 'Which game'), choice);
  let games = null;
  text.addEventListener('input', () => {
    games = null;
    choices.hidden = true;
  });
  const accept = async () => {
    if (!games) {
      const answer = await post('/api/pgn/read', {game: game.name, pgn: text.value});
      if (answer.games.length === 0) {
        throw new Error(answer.faults[0] ?? 'There is no game in this text; expected a PGN.');
      }
      games = answer.games;
      if (games.length > 1) {
        fill(choice, games.map(({tags, result}, at) => h('option', {value: at},
          `${at + 1}. ${tags.White ?? '?'} – ${tags.Black ?? '?'}, ${result}`)));
        choices.hidden = false;
        choice.focus();
        return false;
      }
    }
    onOpen(games[choices.hidden ? 0 : Number(choice.value)]);
    return true;
  };
  dialog('Open a PGN', h('div', {class: 'fields'},
    h('div', {class: 'field'}, h('label', {for: 'pgn-text'}, `PGN of ${game.title}`), text),
    choices), [{label: 'Open', primary: true, run: accept}]);
  text.focus();
}
