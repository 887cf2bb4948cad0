// Parts of a page that change in place: {node, update(value)}.
//
// An update touches only what differs, so that scroll position, focus, selections and open
// <details> stay as they are while a run goes on.

import {copyText, h, svg} from '../dom.js';
import {ago, duration} from './format.js';

/** Sets the text of a node unless it has it. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
  return node;
}

/** Sets or removes an attribute unless it is so. */
export function setAttribute(node, name, value) {
  if (value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** An element whose text follows a value; without text it is hidden. */
export function textPart(tag, attributes, of) {
  const node = h(tag, {hidden: true, ...attributes});
  return {node, update(value) {
    const text = of(value) ?? '';
    node.hidden = text === '';
    setText(node, text);
  }};
}

/** One part made of others in a row; all get the same value. */
export function group(tag, attributes, parts) {
  const node = h(tag, attributes, parts.map((part) => part.node ?? part));
  return {node, update: (value) => parts.forEach((part) => part.update?.(value))};
}

/** A part that gets what `of` makes of the value. */
export const mapped = (part, of) =>
  ({node: part.node, update: (value) => part.update(of(value))});

/** A part that is hidden while `of` gives nothing; else the inner part gets what it gives. */
export function optional(part, of) {
  part.node.hidden = true;
  return {node: part.node, update(value) {
    const inner = of(value);
    const isEmpty = inner === null || inner === undefined || inner.length === 0;
    part.node.hidden = isEmpty;
    if (!isEmpty) part.update(inner);
  }};
}

function place(parent, node, before) {
  const active = document.activeElement;
  const focused = node.contains(active) ? active : null;
  parent.insertBefore(node, before);
  focused?.focus({preventScroll: true});
}

/** Children of `parent` that follow a list, in its order: those with a known key stay. */
export function keyed(parent, keyOf, make) {
  const known = new Map();
  return {node: parent, update(items) {
    const keys = new Set(items.map(keyOf));
    for (const [key, part] of known) {
      if (keys.has(key)) continue;
      part.node.remove();
      known.delete(key);
    }
    let next = parent.firstChild;
    for (const item of items) {
      const key = keyOf(item);
      let part = known.get(key);
      if (!part) {
        part = make(item);
        known.set(key, part);
      }
      if (part.node === next) next = next.nextSibling;
      else place(parent, part.node, next);
      part.update?.(item);
    }
  }};
}

const byIndex = (items) => items.map((item, index) => ({item, index}));

/** A table in a box that scrolls. Columns: {title, of: row => text, numeric, make: row => part}. */
export function table(label, columns, keyOf) {
  const makeCell = (column, index, row) => {
    const inner = column.make?.(row);
    const tag = index === 0 ? 'th' : 'td';
    const node = h(tag, {class: column.numeric ? 'number' : null,
      scope: index === 0 ? 'row' : null}, inner?.node);
    return {node, update: inner ? inner.update : (value) => setText(node, column.of(value))};
  };
  const body = h('tbody');
  const rows = keyed(body, keyOf, (row) =>
    group('tr', {}, columns.map((column, index) => makeCell(column, index, row))));
  const heads = columns.map((column) =>
    h('th', {scope: 'col', class: column.numeric ? 'number' : null}, column.title));
  const node = h('div',
    {class: 'run-scroll scroll-x', role: 'region', tabindex: 0, 'aria-label': label},
    h('table', {class: 'table'}, h('thead', {}, h('tr', {}, heads)), body));
  return {node, update: rows.update};
}

/** Names with values; those without a value are left out. Takes [[name, value]]. */
export function facts(look = 'run-facts') {
  const rows = keyed(h('dl', {class: look}), ([name]) => name, ([name]) => {
    const value = h('dd');
    return {node: h('div', {}, h('dt', {}, name), value),
      update: ([, text]) => setText(value, String(text))};
  });
  const isKnown = ([, value]) => value !== null && value !== undefined && value !== '–';
  return {node: rows.node, update: (list) => rows.update(list.filter(isKnown))};
}

/** Many names with values, one below the other. */
export const factList = () => facts('run-list');

/** One chart of the server. */
export function chart() {
  const view = h('chart-view');
  return {node: h('figure', {class: 'run-chart'}, view), update: (svg) => { view.svg = svg; }};
}

/** Charts of the server side by side. Takes [svg]; those that are null are left out. */
export function charts() {
  const rows = keyed(h('div', {class: 'run-charts'}), ({index}) => index, () => {
    const inner = chart();
    return {node: inner.node, update: ({item}) => inner.update(item)};
  });
  return {node: rows.node, update: (list) => rows.update(byIndex(list.filter(Boolean)))};
}

/** A drawing that is wider than a phone: it scrolls in its own box. */
export function drawing(label) {
  const node = h('div', {class: 'net-drawing', role: 'region', tabindex: 0, 'aria-label': label});
  let shown = null;
  return {node, update(text) {
    if (text !== shown) node.replaceChildren(svg(text));
    shown = text;
  }};
}

/** A section with a heading around a part. */
export function section(title, part, about) {
  const node = h('section', {class: 'run-section'}, h('h2', {}, title),
    about && h('p', {class: 'run-about'}, about), part.node);
  return {node, update: (value) => part.update?.(value)};
}

/** Details that stay open or closed while their content changes. */
export function details(summary, part) {
  return {node: h('details', {class: 'run-details'}, h('summary', {}, summary), part.node),
    update: (value) => part.update(value)};
}

const STATUS = {
  running: ['▶', 'Running'], finished: ['✓', 'Finished'], stopped: ['■', 'Stopped'],
  failed: ['✕', 'Failed'], done: ['✓', 'Done'], waiting: ['○', 'Waiting'],
};

/** A status as a symbol and a word. Takes the status. */
export function status() {
  const symbol = h('span', {'aria-hidden': 'true'});
  const word = h('span');
  const node = h('span', {class: 'run-status'}, symbol, ' ', word);
  return {node, update(value) {
    const [sign, name] = STATUS[value] ?? ['?', value];
    setText(symbol, sign);
    setText(word, name);
    setAttribute(node, 'data-status', value);
  }};
}

/** Progress bar and time left. Takes a RunSummary; a run that is over has neither. */
export function progress() {
  const bar = h('progress', {max: 1, 'aria-label': 'Progress'});
  const left = h('span', {class: 'run-left'});
  const node = h('div', {class: 'run-progress', hidden: true}, bar, left);
  return {node, update(run) {
    node.hidden = run.status === 'finished' || (run.progress === null && run.status !== 'running');
    if (run.progress === null) bar.removeAttribute('value');
    else setAttribute(bar, 'value', run.progress);
    const done = run.progress === null ? '' : `${Math.floor(100 * run.progress)} %`;
    const rest = run.status === 'running' && run.seconds_left !== null
      ? `about ${duration(run.seconds_left)} left` : '';
    setText(left, [done, rest].filter(Boolean).join(' · '));
  }};
}

/** When a run changed last; `tick` brings the words up to date. */
export function changed() {
  const node = h('time', {class: 'run-changed'});
  return {node, update(run) {
    node.dataset.moment = run.updated;
    setAttribute(node, 'datetime', new Date(run.updated).toISOString());
    setAttribute(node, 'title', new Date(run.updated).toLocaleString());
    setText(node, ago(run.updated));
  }};
}

/** Words about a run in one line, with its path where that is not its name. */
export function about(run, ...words) {
  const isNamed = run.path === run.name || run.path.startsWith(`${run.name}.`);
  return [...words, run.game, isNamed ? null : run.path].filter(Boolean).join(' · ');
}

/** Keeps the times below a container up to date until the signal fires. */
export function keepTime(container, signal) {
  const timer = setInterval(() => {
    for (const node of container.querySelectorAll('time[data-moment]')) {
      setText(node, ago(Number(node.dataset.moment)));
    }
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** A command line with a button that copies it. Takes the text. */
export function command() {
  const code = h('code', {tabindex: 0});
  const copy = h('button', {type: 'button', class: 'button run-copy',
    'aria-label': 'Copy the command',
    onclick: () => copyText(code.textContent, 'Command')}, 'Copy');
  return {node: h('div', {class: 'run-command'}, code, copy),
    update: (text) => setText(code, text)};
}
