// A quickstart: its stages with their commands, its parts as they run, and how to stop and go on.

import {networks, post} from '../api.js';
import {h, toast} from '../dom.js';
import {href} from '../router.js';
import * as data from './data.js';
import * as match from './match.js';
import {command, group, keyed, optional, progress, section, setAttribute, setText, status, textPart}
  from './parts.js';
import * as training from './training.js';
import {watch} from './watch.js';

const BRIEF = {training: training.brief, data: data.brief, match: match.brief};

function action(label, kind, isPossible, run) {
  const node = h('button', {type: 'button', class: `button ${kind}`, hidden: true}, label);
  let latest = null;
  node.addEventListener('click', async () => {
    node.disabled = true;
    try {
      await run(latest);
    } catch (fault) {
      toast(fault.message);
    } finally {
      node.disabled = false;
    }
  });
  return {node, update(view) {
    latest = view;
    node.hidden = !isPossible(view);
  }};
}

const stop = () => action('Stop', 'danger', (view) => view.can_stop,
  ({path}) => post('/api/quickstart/stop', {path}));
const resume = () => action('Resume', 'primary', (view) => view.can_resume,
  ({path}) => post('/api/quickstart/start', {path}));

/** Links to the network that a finished quickstart made. */
function made(signal) {
  const play = h('a', {class: 'button primary', hidden: true}, 'Play with its network');
  const look = h('a', {class: 'button', hidden: true}, 'Look at its network');
  let isAsked = false;
  const find = async (path) => {
    const list = await networks({signal});
    const found = list.find(({name, error}) => name === `${path}/net.accrue` && !error);
    if (!found) return;
    play.href = href('play', [found.game], {network: found.id});
    look.href = href('networks', [found.id]);
    play.hidden = look.hidden = false;
  };
  return {nodes: [play, look], update({status: state, path}) {
    if (state !== 'finished') {
      isAsked = false;
      play.hidden = look.hidden = true;
    } else if (!isAsked) {
      isAsked = true;
      find(path).catch(() => {});
    }
  }};
}

function stage({title}) {
  const state = status();
  const line = optional(command(), (value) => value.command);
  const folded = h('details', {}, h('summary', {}, 'The same by command'), line.node);
  const node = h('li', {class: 'run-stage'},
    h('div', {class: 'run-stage-head'}, h('strong', {}, title), state.node), folded);
  return {node, update(value) {
    state.update(value.status);
    setAttribute(node, 'data-status', value.status);
    setAttribute(node, 'aria-current', value.status === 'running' ? 'step' : null);
    folded.hidden = !value.command;
    line.update(value);
  }};
}

/** A run that the quickstart made, as it goes. It is watched by itself. */
function child(path, signal) {
  const link = h('a', {href: href('runs', [path])}, path);
  const state = status();
  const bar = progress();
  const summary = h('p', {class: 'run-summary'});
  const node = h('article', {class: 'panel run-child', hidden: true},
    h('div', {class: 'run-stage-head'}, h('h3', {}, link), state.node), summary, bar.node);
  let inner = null;
  const onRun = ({view}) => {
    node.hidden = false;
    setText(link, view.name);
    state.update(view.status);
    setText(summary, view.summary);
    bar.update(view);
    if (!inner && BRIEF[view.kind]) {
      inner = BRIEF[view.kind](view);
      node.append(inner.node);
    }
    inner?.update(view);
  };
  watch(path, onRun, () => {}, signal);
  return {node};
}

/** Data, then trainings, then matches: the order in which they are made. */
function inOrder(paths) {
  const rank = (path) => (path.endsWith('.data') ? 0 : path.endsWith('.journal') ? 2 : 1);
  return [...paths].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** The page of a quickstart. */
export function body({signal}) {
  const stages = keyed(h('ol', {class: 'run-stages'}), (value) => value.title, stage);
  const children = keyed(h('div', {class: 'run-children'}), (path) => path,
    (path) => child(path, signal));
  const actions = [stop(), resume()];
  const network = made(signal);
  const parts = group('div', {}, [
    textPart('p', {class: 'run-fault', role: 'alert'}, (view) => view.error),
    optional(section('Stages', stages), (view) => view.stages),
    optional(section('Parts', children), (view) => inOrder(view.children)),
  ]);
  // The buttons belong to the head of the page.
  const nodes = [...actions.map((button) => button.node), ...network.nodes];
  return {node: parts.node, actions: nodes, update(view) {
    actions.forEach((button) => button.update(view));
    network.update(view);
    parts.update(view);
  }};
}
