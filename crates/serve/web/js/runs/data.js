// Generated data: how much there is, how fast it grows, and how results and scores are distributed.

import {bytes, count, duration, short} from './format.js';
import {charts, factList, facts, group, mapped, optional, section} from './parts.js';

function keyFacts(view) {
  return [
    ['Positions', view.target ? `${count(view.positions)} of ${count(view.target)}`
      : count(view.positions)],
    ['Games', count(view.games)],
    ['Positions a second', short(view.positions_per_second)],
    ['Time left', view.status === 'running' ? duration(view.seconds_left) : null],
    ['Size', bytes(view.bytes)],
  ];
}

const pictures = (view) => [view.results, view.scores].filter(Boolean);

/** Facts and distributions only, for the page of a quickstart. */
export function brief() {
  return group('div', {}, [mapped(facts(), keyFacts), mapped(charts(), pictures)]);
}

/** The page of a data file. */
export function body() {
  return group('div', {}, [
    mapped(facts(), keyFacts),
    optional(section('Distributions', charts()), pictures),
    optional(section('Facts', factList()), (view) => view.facts),
  ]);
}
