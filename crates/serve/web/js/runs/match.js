// A match: standings, pairings, the sequential test, and its games.

import {h} from '../dom.js';
import {count, percent, signed, withError} from './format.js';
import {finishedGames, liveGames} from './games.js';
import {chart, facts, group, keyed, optional, section, setText, table, textPart} from './parts.js';

const QUARTERS = ['', '¼', '½', '¾'];

/** Points with their fraction: 12½. */
function fraction(points) {
  const rest = QUARTERS[Math.round(4 * (points % 1))] ?? '';
  return points < 1 && rest ? rest : `${count(Math.floor(points))}${rest}`;
}

const score = (row) => percent(row.games ? row.points / row.games : null);

/** A rating with its error; an engine that won or lost all its games has a bound only. */
const rating = (row) => (['at least', 'at most'].includes(row.rating)
  ? `${row.rating} ${signed(row.elo)}` : withError(row.games ? row.elo : null, row.elo_error));

const standings = [
  {title: 'Engine', of: (row) => row.name},
  {title: 'Rating', of: rating, numeric: true},
  {title: 'Score', of: score, numeric: true},
  {title: 'Points', of: (row) => fraction(row.points), numeric: true},
  {title: 'Games', of: (row) => count(row.games), numeric: true},
];

/** The five results of a pair of games: the points of the first engine. */
const PAIR_POINTS = ['0', '½', '1', '1½', '2'];

function pentanomial() {
  const columns = PAIR_POINTS.map((points) => {
    const number = h('span', {class: 'run-pair-count'});
    const bar = h('span', {class: 'run-pair-bar', 'aria-hidden': 'true'});
    const node = h('li', {}, number, bar, h('span', {class: 'run-pair-points'},
      h('span', {class: 'visually-hidden'}, ' pairs with '), points,
      h('span', {class: 'visually-hidden'}, ' points')));
    return {node, update({pairs, most}) {
      setText(number, count(pairs));
      bar.style.height = `${(5 * pairs / most).toFixed(2)}rem`;
    }};
  });
  const node = h('figure', {class: 'run-pairs'},
    h('ol', {}, columns.map((column) => column.node)),
    h('figcaption', {}, 'Pairs of games by the points of the first engine (pentanomial)'));
  return {node, update(counts) {
    const most = Math.max(1, ...counts);
    columns.forEach((column, index) => column.update({pairs: counts[index] ?? 0, most}));
  }};
}

const pairingFacts = (row) => [
  ['Points', `${fraction(row.points)} of ${count(row.games)}`],
  ['Score', score(row)],
  ['Elo', withError(row.games ? row.elo : null, row.elo_error, 1)],
  ['Likelihood of superiority', percent(row.games ? row.los : null)],
  ['Wins, draws, losses', [row.wins, row.draws, row.losses].map(count).join(', ')],
];

function pairing(row) {
  const known = facts();
  const pairs = optional(pentanomial(), (value) => value.pentanomial);
  const node = h('article', {class: 'panel run-pairing'},
    h('p', {class: 'run-pairing-names'}, h('strong', {}, row.first), ' against ',
      h('strong', {}, row.second)),
    h('div', {class: 'run-pairing-body'}, known.node, pairs.node));
  return {node, update(value) {
    known.update(pairingFacts(value));
    pairs.update(value);
  }};
}

const pairings = () => keyed(h('div', {class: 'run-pairings'}),
  (row) => JSON.stringify([row.first, row.second]), pairing);

/** What the sequential test says, in words. */
export function verdict({sprt, pairings: [first]}) {
  if (!sprt) return '';
  const gain = (elo) => `${signed(elo, Number.isInteger(elo) ? 0 : 1)} Elo`;
  const names = first ? [first.first, first.second] : ['the first engine', 'the second'];
  const bounds = [sprt.lower, sprt.upper].map((bound) => signed(bound, 2)).join(' and ');
  const llr = `LLR ${signed(sprt.llr, 2)}, bounds ${bounds}`;
  const fits = (yes, no) => `the games support ${gain(yes)} rather than ${gain(no)} `
    + `for ${names[0]} against ${names[1]} (${llr}).`;
  if (sprt.accepted === 'H1') return `H1 accepted: ${fits(sprt.elo1, sprt.elo0)}`;
  if (sprt.accepted === 'H0') return `H0 accepted: ${fits(sprt.elo0, sprt.elo1)}`;
  return `Not decided: ${gain(sprt.elo0)} (H0) or ${gain(sprt.elo1)} (H1)? ${llr}.`;
}

const verdictLine = () => textPart('p', {class: 'run-verdict'}, verdict);

/** Verdict, pairings and the curve of the test only, for the page of a quickstart. */
export function brief() {
  return group('div', {}, [verdictLine(), group('div', {class: 'run-columns'}, [
    optional(pairings(), (view) => view.pairings), optional(chart(), (view) => view.llr_chart)])]);
}

/** The page of a match. */
export function body(context) {
  return group('div', {}, [
    verdictLine(),
    optional(section('Standings', table('Standings', standings, (row) => row.name)),
      (view) => [...view.engines].sort((a, b) => a.standing - b.standing)),
    group('div', {class: 'run-columns'}, [
      optional(section('Pairings', pairings()), (view) => view.pairings),
      optional(section('Sequential test', chart()), (view) => view.llr_chart),
    ]),
    liveGames(context),
    finishedGames(context),
  ]);
}
