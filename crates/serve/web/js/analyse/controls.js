// The controls of the page: which game, the analysis switch, overlays, navigation and keys.

import {fill, h, icon, toast} from '../dom.js';

const MAX_LINES = 5;

// The switch of the analysis with its number of lines, threads and the second network.
export class EngineControls {
  constructor(session) {
    this.session = session;
    const {settings, limits} = session;
    this.toggle = h('button', {type: 'button', role: 'switch', class: 'an-switch',
      'aria-keyshortcuts': 'a', onclick: () => session.set({running: !session.settings.running})},
    h('span', {class: 'an-knob', 'aria-hidden': 'true'}), 'Analysis', h('kbd', {}, 'a'));
    const number = (name, label, max) => {
      const values = Array.from({length: Math.max(max, 1)}, (_, at) => at + 1);
      const select = h('select', {'aria-label': label, class: 'an-short',
        onchange: () => session.set({[name]: Number(select.value)})},
      values.map((value) => h('option', {value}, value)));
      select.value = String(Math.min(settings[name], values.length));
      return h('label', {class: 'an-inline small muted'}, label, select);
    };
    const compare = h('input', {type: 'checkbox', onchange: () =>
      session.set({compare: compare.checked})});
    compare.checked = settings.compare;
    this.element = h('div', {class: 'an-engine-controls'}, this.toggle,
      number('multipv', 'Lines', Math.min(limits.multipv ?? MAX_LINES, MAX_LINES)),
      number('threads', 'Threads', limits.threads ?? 1),
      h('label', {class: 'an-check small'}, compare, 'Compare two networks'));
    session.on('settings', () => this.#draw());
    this.#draw();
  }

  #draw() {
    this.toggle.setAttribute('aria-checked', String(this.session.settings.running));
  }
}

const OVERLAYS = [
  ['policy', 'Policy arrows', 'The moves that the network would look at first'],
  ['heat', 'Policy heat', 'The probability of each target, summed over the moves to it'],
  ['pieces', 'Piece values', 'How much the evaluation loses without the piece'],
];

// Toggles of what is drawn over the board; those that cannot be drawn say why.
export class OverlayControls {
  constructor(session) {
    this.session = session;
    this.isExplainable = true;
    this.reason = h('p', {class: 'small muted an-reason', id: 'an-reason'});
    this.legend = h('p', {class: 'small muted'});
    this.arrows = this.#button('Best moves', 'The first moves of the analysis as arrows',
      () => session.set({arrows: !session.settings.arrows}));
    this.buttons = OVERLAYS.map(([key, label, about]) => this.#button(label, about, () => {
      const {overlay} = session.settings;
      const next = {...overlay, [key]: !overlay[key]};
      // One colouring of the cells at a time.
      if (key === 'heat') next.pieces = false;
      if (key === 'pieces') next.heat = false;
      session.set({overlay: next});
    }));
    this.element = h('div', {class: 'an-overlays', role: 'group', 'aria-label': 'Overlays'},
      h('div', {class: 'an-chips'}, this.arrows, this.buttons), this.reason, this.legend);
    session.on('settings evaluation', (changes) => {
      if (changes && 'network' in changes) this.isExplainable = true;
      this.draw();
    });
    session.on('explained', (has) => {
      this.isExplainable = has;
      this.draw();
    });
  }

  #button(label, about, run) {
    return h('button', {type: 'button', class: 'an-chip', title: about, onclick: (event) => {
      if (event.currentTarget.getAttribute('aria-disabled') !== 'true') run();
    }}, label);
  }

  // A disabled toggle stays in the tab order, so that its reason can be read.
  draw() {
    const {settings, game} = this.session;
    const network = this.session.network(settings.network);
    const name = this.session.networkName(settings.network);
    const noPolicy = network?.has_policy ? null : `${name} has no policy.`;
    const noPieces = !network ? 'Piece values need a network.'
      : this.isExplainable ? null : `${game.title} has no positions without one of the pieces.`;
    const reasons = [noPolicy, noPolicy, noPieces];
    this.arrows.setAttribute('aria-pressed', String(settings.arrows));
    this.buttons.forEach((button, at) => {
      const isOff = Boolean(reasons[at]);
      const isOn = !isOff && Boolean(settings.overlay[OVERLAYS[at][0]]);
      button.setAttribute('aria-pressed', String(isOn));
      button.setAttribute('aria-disabled', String(isOff));
      button.setAttribute('aria-describedby', isOff ? 'an-reason' : '');
    });
    fill(this.reason, [...new Set(reasons.filter(Boolean))].join(' '));
    const {heat, pieces} = settings.overlay;
    fill(this.legend, pieces && !noPieces
      ? 'In pawns: blue and + count for White, red and − for Black.'
      : heat && !noPolicy ? 'The darker the cell, the more probable a move to it.' : '');
  }
}

export function navigation(session) {
  const button = (name, label, key, run) => h('button', {type: 'button',
    class: 'button quiet icon-only', 'aria-label': label, title: `${label} (${key})`,
    'aria-keyshortcuts': key, onclick: run}, icon(name));
  const back = [button('first', 'To the start', 'Home', () => session.go(session.tree.root)),
    button('back', 'One move back', 'ArrowLeft', () => session.step(-1))];
  const forward = [button('forward', 'One move forward', 'ArrowRight', () => session.step(1)),
    button('last', 'To the end', 'End', () => session.go(session.tree.end()))];
  session.on('position tree', () => {
    const {current} = session.tree;
    for (const one of back) one.disabled = !current.parent;
    for (const one of forward) one.disabled = !current.next;
  });
  return h('div', {class: 'an-navigation', role: 'group', 'aria-label': 'Go through the moves'},
    back, forward, button('flip', 'Flip the board', 'f',
      () => session.set({flipped: !session.settings.flipped})));
}

const KEYS = [['← →', 'one move back or forward'], ['Home End', 'to the start or end'],
  ['a', 'analysis on or off'], ['f', 'flip the board'], ['s', 'say the evaluation'],
  ['p', 'paste a FEN or PGN'], ['r', 'review this game']];

export function keyHelp() {
  return h('details', {class: 'an-keys small'}, h('summary', {}, 'Keys'),
    h('dl', {class: 'facts'}, KEYS.map(([keys, about]) => [
      h('dt', {}, keys.split(' ').map((key) => [h('kbd', {}, key), ' '])), h('dd', {}, about)])));
}

// Keys of the whole page, except where a control has its own use for them.
export function listen(session, actions) {
  const {signal} = session;
  const keys = {
    ArrowLeft: () => session.step(-1), ArrowRight: () => session.step(1),
    Home: () => session.go(session.tree.root), End: () => session.go(session.tree.end()),
    a: () => session.set({running: !session.settings.running}),
    f: () => session.set({flipped: !session.settings.flipped}),
    s: () => toast(actions.summary(), {seconds: 10}), p: actions.paste, r: actions.review,
  };
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!session.tree || !(event.key in keys) || document.querySelector('dialog[open]')) return;
    const {target} = event;
    if (target.closest?.('select, textarea, input:not([type=checkbox])')) return;
    event.preventDefault();
    keys[event.key]();
  }, {signal});
}
