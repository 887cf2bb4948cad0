// The shell: shows the view that the address names, and leaves the one before.

import {games} from './api.js';
import {fill, h, svg} from './dom.js';
import {onState} from './live.js';
import {module, parse} from './router.js';

const TITLES = {play: 'Play', analyse: 'Analyse', runs: 'Runs', networks: 'Networks'};

const main = document.getElementById('main');
let leave = () => {};

/** The outlines of cells and pieces that all boards refer to, once in the document. */
const outlines = fetch('/report/outlines.svg')
  .then((response) => (response.ok ? response.text() : ''))
  .then((text) => {
    const drawing = svg(text);
    drawing.classList?.add('sprite');
    document.body.append(drawing);
  })
  .catch(() => {});

async function route() {
  leave();
  const controller = new AbortController();
  const {signal} = controller;
  let onLeave = null;
  leave = () => {
    controller.abort();
    onLeave?.();
    onLeave = null;
  };
  const {view, path, params} = parse(location.hash);
  document.title = `${TITLES[view]} · accrue`;
  for (const link of document.querySelectorAll('#views a')) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const container = h('div', {class: `view view-${view}`});
  try {
    const [{show}, known] = await Promise.all([module(view), games(), outlines]);
    if (signal.aborted) return;
    main.replaceChildren(container);
    const left = await show(container, {path, params, signal, games: known});
    if (signal.aborted) left?.();
    else onLeave = left ?? null;
  } catch (fault) {
    if (!signal.aborted) showFault(container, fault);
  }
}

function showFault(container, fault) {
  console.error(fault);
  const again = h('button', {class: 'button', type: 'button', onclick: route}, 'Try again');
  main.replaceChildren(fill(container, h('div', {class: 'panel fault', role: 'alert'},
    h('h1', {}, 'This page could not be shown'), h('p', {}, fault.message), again)));
}

onState((state) => {
  document.getElementById('offline').hidden = state !== 'closed';
});
addEventListener('hashchange', route);
route();
