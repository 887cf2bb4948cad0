// A training: curves, speed and the table of its superbatches.

import {count, decimal, duration, short} from './format.js';
import {charts, details, drawing, facts, group, mapped, optional, section, table} from './parts.js';

const columns = [
  {title: 'Superbatch', of: (row) => `${row.number}${row.is_best ? ' (best so far)' : ''}`},
  {title: 'Step', of: (row) => count(row.step), numeric: true},
  {title: 'Loss', of: (row) => decimal(row.loss), numeric: true},
  {title: 'Validation loss', of: (row) => decimal(row.validation_loss), numeric: true},
  {title: 'Learning rate', of: (row) => decimal(row.rate), numeric: true},
  {title: 'Positions a second', of: (row) => short(row.positions_per_second), numeric: true},
];

function keyFacts(view) {
  const last = view.superbatches.at(-1);
  const best = view.superbatches.findLast((row) => row.is_best);
  return [
    ['Step', view.steps ? `${count(view.step)} of ${count(view.steps)}` : count(view.step)],
    ['Loss', decimal(last?.loss)],
    ['Validation loss', decimal(last?.validation_loss)],
    ['Best validation loss', decimal(best?.validation_loss)],
    ['Learning rate', decimal(last?.rate)],
    ['Positions a second', short(last?.positions_per_second)],
    ['Time left', view.status === 'running' ? duration(view.seconds_left) : null],
    ['Architecture', view.architecture],
  ];
}

/** Facts and curves only, for the page of a quickstart. */
export function brief() {
  return group('div', {}, [mapped(facts(), keyFacts), mapped(charts(), (view) => view.charts)]);
}

/** The page of a training. */
export function body() {
  return group('div', {}, [
    mapped(facts(), keyFacts),
    optional(section('Curves', charts()), (view) => view.charts),
    optional(details('Table of superbatches', table('Superbatches', columns, (row) => row.number)),
      (view) => view.superbatches),
    optional(section('Neurons', drawing('Neurons'),
      'What the neurons of the first layer have learnt to look for.'), (view) => view.neurons),
  ]);
}
