// The page of one run: what all kinds have in common, and around it what its kind shows.

import {h} from '../dom.js';
import {href} from '../router.js';
import * as data from './data.js';
import * as loop from './loop.js';
import * as match from './match.js';
import {about, changed, keepTime, progress, setText, status} from './parts.js';
import * as quickstart from './quickstart.js';
import * as training from './training.js';
import {watch} from './watch.js';

const BODIES = {training: training.body, data: data.body, match: match.body, loop: loop.body,
  quickstart: quickstart.body};
const NAMES = {training: 'Training', data: 'Data generation', match: 'Match', loop: 'Loop',
  quickstart: 'Quickstart'};

function heading(path) {
  const title = h('h1', {}, path);
  const kind = h('span');
  const [state, moment, bar] = [status(), changed(), progress()];
  const summary = h('p', {class: 'run-summary'});
  const report = h('a', {class: 'button', target: '_blank', rel: 'noopener', hidden: true,
    href: `/api/run/report?${new URLSearchParams({path})}`}, 'Open the report');
  const actions = h('div', {class: 'row'}, report);
  const rest = h('div', {hidden: true},
    h('p', {class: 'run-meta'}, kind, ' · changed ', moment.node), summary, bar.node, actions);
  const node = h('header', {class: 'run-header'},
    h('div', {class: 'run-stage-head'}, title, state.node), rest);
  return {node, actions, update(view) {
    rest.hidden = false;
    setText(title, view.name);
    document.title = `${view.name} · accrue`;
    setText(kind, about(view, NAMES[view.kind]));
    state.update(view.status);
    moment.update(view);
    setText(summary, view.summary);
    bar.update(view);
    report.hidden = !view.has_report;
  }};
}

/** Shows one run until the signal fires. */
export function showRun(container, path, context) {
  const head = heading(path);
  const fault = h('p', {class: 'run-fault', role: 'alert', hidden: true});
  const waiting = h('p', {class: 'loading'}, 'Loading …');
  const place = h('div');
  container.append(h('p', {}, h('a', {href: href('runs')}, '← All runs')), head.node, waiting,
    fault, place);
  let [inner, kind] = [null, null];
  const onRun = ({view}) => {
    [fault.hidden, waiting.hidden] = [true, true];
    head.update(view);
    if (view.kind !== kind) {
      kind = view.kind;
      inner = BODIES[kind]?.(context, view);
      place.replaceChildren(...(inner ? [inner.node] : []));
      head.actions.prepend(...(inner?.actions ?? []));
    }
    inner?.update(view);
  };
  const onFault = ({message}) => {
    [fault.hidden, waiting.hidden] = [false, true];
    setText(fault, message);
  };
  watch(path, onRun, onFault, context.signal);
  keepTime(container, context.signal);
}
