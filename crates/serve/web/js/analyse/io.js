// Games in and out: a dialog that takes a FEN or PGN, and one that gives them.

import {post} from '../api.js';
import {dialog} from '../dialog.js';
import {copyText, download, fill, h, toast} from '../dom.js';

const looksLikePgn = (text) => /^\s*\[|\b1\s*\.|\{/.test(text);

// Asks for a text; `review` runs after a game is loaded with "Paste and review".
export function openPaste(session, review) {
  const {game} = session;
  const area = h('textarea', {class: 'text-area', rows: 9, id: 'an-paste', spellcheck: 'false',
    placeholder: game.start_fen});
  const rules = game.settings.map((setting) => ruleField(setting, session.tree.rules));
  const found = h('div', {class: 'fields'});
  const content = h('div', {class: 'fields'},
    h('div', {class: 'field'},
      h('label', {for: 'an-paste'}, 'FEN or PGN (empty: the start)'), area),
    rules.map(({element}) => element), found);
  const chosen = chooser(session, area, rules, found);
  return dialog('Paste a position or a game', content, [
    {label: 'Paste and review', run: async () => {
      if (await chosen() === false) return false;
      review();
      return true;
    }},
    {label: 'Show', primary: true, run: chosen},
  ]);
}

function ruleField({name, values, about}, current) {
  const id = `an-rule-${name}`;
  const options = (values ?? []).map((value) => h('option', {value: String(value)}, String(value)));
  const select = h('select', {id}, h('option', {value: ''}, 'default'), options);
  if (current[name] !== undefined) select.value = String(current[name]);
  const element = h('div', {class: 'field'}, h('label', {for: id}, about || name), select);
  const value = () => (values ?? []).find((one) => String(one) === select.value);
  return {name, element, value};
}

// Returns what loads the text; with several games it shows their list first.
function chooser(session, area, rules, found) {
  let read = {text: null, games: []};
  let list = null;
  return async () => {
    const text = area.value.trim();
    const settings = {};
    for (const {name, value} of rules) if (value() !== undefined) settings[name] = value();
    if (!looksLikePgn(text)) {
      const line = {game: session.game.name, fen: text || null, rules: settings, moves: []};
      await session.load(line);
      return true;
    }
    if (read.text !== text) {
      const answer = await post('/api/pgn/read', {game: session.game.name, pgn: text});
      read = {text, games: answer.games};
      if (!answer.games.length) {
        throw new Error(answer.faults[0] ?? 'The text has no game: expected a PGN with moves.');
      }
      for (const fault of answer.faults.slice(0, 2)) toast(fault);
      list = answer.games.length > 1 ? gameList(answer.games) : null;
      fill(found, list && h('div', {class: 'field'},
        h('label', {for: 'an-games'}, `${answer.games.length} games: which one?`), list));
      if (list) {
        list.focus();
        return false;
      }
    }
    const {line, tags, result} = read.games[list ? list.selectedIndex : 0] ?? read.games[0];
    await session.load(line, {tags, result, atEnd: false});
    return true;
  };
}

function gameList(games) {
  const name = ({tags, result, line}, at) => {
    const players = `${tags.White ?? '?'} – ${tags.Black ?? '?'}`;
    const more = [result, tags.Event, tags.Date].filter((text) => text && !/^\?/.test(text));
    return `${at + 1}. ${players}, ${more.join(', ')} (${line.moves.length} plies)`;
  };
  const list = h('select', {id: 'an-games', size: Math.min(games.length, 8), class: 'an-games'},
    games.map((game, at) => h('option', {value: at}, name(game, at))));
  list.selectedIndex = 0;
  return list;
}

// The PGN of the line that the reader is in.
async function writePgn(session) {
  const {tree} = session;
  const end = tree.end();
  const {outcome} = await session.position(end);
  // The result that came with a game is that of its own moves only.
  const known = tree.result?.of === end.id ? tree.result.text : null;
  const {pgn} = await post('/api/pgn/write', {line: tree.request(end), tags: tree.tags,
    result: outcome?.result ?? known ?? '*', reason: outcome?.reason ?? ''});
  return pgn;
}

export async function openShare(session) {
  const [{fen}, pgn] = await Promise.all([session.position(), writePgn(session)]);
  const fenField = h('input', {id: 'an-fen', readonly: true, value: fen});
  const pgnField = h('textarea', {id: 'an-pgn', class: 'text-area', rows: 9, readonly: true});
  pgnField.value = pgn;
  const button = (label, onclick) => h('button', {type: 'button', class: 'button', onclick}, label);
  return dialog('Take it with you', h('div', {class: 'fields'},
    h('div', {class: 'field'}, h('label', {for: 'an-fen'}, 'FEN of this position'), fenField,
      h('div', {class: 'row'}, button('Copy FEN', () => copyText(fen, 'FEN')))),
    h('div', {class: 'field'}, h('label', {for: 'an-pgn'}, 'PGN of this line'), pgnField,
      h('div', {class: 'row'}, button('Copy PGN', () => copyText(pgn, 'PGN')),
        button('Download', () => download(`${session.game.name}.pgn`, pgn))))));
}
