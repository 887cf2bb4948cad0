// A loop: the rating of each generation, and what it cost.

import {count, duration, percent, signed, withError} from './format.js';
import {chart, facts, group, mapped, optional, section, table} from './parts.js';

const total = (row) => (row.seconds
  ? row.seconds.data + row.seconds.training + row.seconds.match : null);

const cost = (name) => (row) => duration(row.seconds?.[name]);

const columns = [
  {title: 'Generation', of: (row) => String(row.number)},
  {title: 'Verdict', of: (row) => [row.promoted ? '✓ promoted' : '✕ not promoted', row.verdict]
    .filter(Boolean).join(': ')},
  {title: 'Against', of: (row) => String(row.against ?? '–')},
  {title: 'Games', of: (row) => count(row.games), numeric: true},
  {title: 'Score', of: (row) => percent(row.score), numeric: true},
  {title: 'Elo', of: (row) => withError(row.elo, row.elo_error), numeric: true},
  {title: 'Rating', of: (row) => signed(row.rating), numeric: true},
  {title: 'Data', of: cost('data'), numeric: true},
  {title: 'Training', of: cost('training'), numeric: true},
  {title: 'Match', of: cost('match'), numeric: true},
  {title: 'Time in all', of: (row) => duration(total(row)), numeric: true},
];

function keyFacts(view) {
  const promoted = view.generations.filter((row) => row.promoted);
  const costs = view.generations.map(total).filter((value) => value !== null);
  return [
    ['Stage', view.status === 'running' ? view.stage : null],
    ['Generations', count(view.generations.length)],
    ['Promoted', count(promoted.length)],
    ['Rating of the best', signed(promoted.at(-1)?.rating)],
    ['Time of a generation', costs.length
      ? duration(costs.reduce((sum, value) => sum + value, 0) / costs.length) : null],
  ];
}

/** The page of a loop. */
export function body() {
  return group('div', {}, [
    mapped(facts(), keyFacts),
    optional(section('Elo by generation', chart()), (view) => view.chart),
    optional(section('Generations', table('Generations', columns, (row) => row.number)),
      (view) => view.generations),
  ]);
}
