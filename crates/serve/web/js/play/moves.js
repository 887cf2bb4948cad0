// The list of moves, to click through.

import {fill, h, icon} from '../dom.js';

const STEPS = [['First position', 'first'], ['Back', 'back'], ['Forward', 'forward'],
  ['Latest position', 'last']];

/** Whether Black makes the first move of the line. */
function blackBegins({side, history}) {
  return (side === 'black') === (history.length % 2 === 0);
}

/** "12." for a move of White's, "12…" for one of Black's; ply 1 is the first of the line. */
export function moveNumber(position, ply) {
  const start = position.ply - position.history.length;
  const half = ply - 1 + (blackBegins(position) ? 1 : 0);
  return `${Math.floor(start / 2) + 1 + Math.floor(half / 2)}${half % 2 ? '…' : '.'}`;
}

/** Moves in two columns, and buttons to step. `onShow(ply)` is called with what to look at. */
export class MoveList {
  #shown = 0;
  #count = 0;
  #drawn = null;

  constructor(onShow) {
    this.onShow = onShow;
    this.list = h('ol', {class: 'moves', 'aria-label': 'Moves', tabindex: 0});
    const targets = [() => 0, () => this.#shown - 1, () => this.#shown + 1, () => this.#count];
    this.buttons = STEPS.map(([label, name], at) => h('button', {type: 'button', title: label,
      class: 'button quiet icon-only', 'aria-label': label,
      onclick: () => this.go(targets[at]())}, icon(name)));
    this.steps = h('div', {class: 'steps', role: 'group', 'aria-label': 'Look at the game'},
      this.buttons);
    this.list.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button) this.go(Number(button.dataset.ply));
    });
  }

  go(ply) {
    const wanted = Math.min(Math.max(ply, 0), this.#count);
    if (wanted !== this.#shown) this.onShow(wanted);
  }

  /** The keys that step; true if the event was one. */
  key(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step) this.go(this.#shown + step);
    else if (event.key === 'Home') this.go(0);
    else if (event.key === 'End') this.go(this.#count);
    else return false;
    event.preventDefault();
    return true;
  }

  /** Shows the moves of a position, with the one that leads to `ply` marked. */
  update(position, ply) {
    const sans = position.history.map(({san}) => san);
    this.#count = sans.length;
    this.#shown = ply;
    if (sans.join(' ') !== this.#drawn) {
      this.#drawn = sans.join(' ');
      this.#draw(position, sans);
    }
    this.list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = this.list.querySelector(`[data-ply="${ply}"]`);
    current?.setAttribute('aria-current', 'true');
    if (current) this.#reveal(current);
    else this.list.scrollTop = 0;
    const [first, back, forward, last] = this.buttons;
    first.disabled = back.disabled = ply === 0;
    forward.disabled = last.disabled = ply === sans.length;
  }

  /** Scrolls the list alone: scrollIntoView would move the page too. */
  #reveal(button) {
    const top = button.offsetTop;
    const bottom = top + button.offsetHeight;
    const {scrollTop, clientHeight} = this.list;
    if (top < scrollTop) this.list.scrollTop = top - 4;
    else if (bottom > scrollTop + clientHeight) this.list.scrollTop = bottom - clientHeight + 4;
  }

  #draw(position, sans) {
    const start = position.ply - sans.length;
    const isBlackFirst = blackBegins(position);
    const cells = isBlackFirst ? [null, ...sans] : sans;
    const offset = isBlackFirst ? 0 : 1;
    const rows = [];
    for (let at = 0; at < cells.length; at += 2) {
      const number = Math.floor(start / 2) + 1 + at / 2;
      rows.push(h('li', {}, h('span', {class: 'move-number'}, `${number}.`),
        [at, at + 1].map((cell) => this.#cell(cells[cell], cell + offset))));
    }
    if (sans.length === 0) rows.push(h('li', {class: 'no-moves muted'}, 'No moves yet'));
    fill(this.list, rows);
  }

  #cell(san, ply) {
    if (san === undefined) return null;
    if (san === null) return h('span', {class: 'move-gap'}, '…');
    return h('button', {type: 'button', dataset: {ply}}, san);
  }
}
