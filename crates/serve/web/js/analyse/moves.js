// The list of moves: the main line in rows of two, variations below the move that they replace,
// and the judgements of a review. Every move is a button; one of them is in the tab order.

import {fill, h} from '../dom.js';
import {SYMBOLS, WORDS} from './tree.js';

export class MoveList {
  #buttons = new Map();

  constructor(session) {
    this.session = session;
    this.list = h('div', {class: 'an-moves-list', role: 'group', 'aria-label': 'Moves'});
    this.element = h('section', {class: 'panel an-moves', 'aria-label': 'Moves of the game'},
      this.list);
    this.list.addEventListener('click', (event) => this.#click(event));
    session.on('tree review', () => this.#draw());
    session.on('position', () => this.#mark());
  }

  #click(event) {
    const button = event.target.closest('button');
    const node = button && this.#buttons.get(button.dataset.key ?? '');
    if (!node) return;
    if (button.dataset.act) this.session[button.dataset.act](node);
    else this.session.go(node);
  }

  #draw() {
    const {tree} = this.session;
    this.#buttons = new Map([['', tree.root]]);
    if (!tree.root.children.length) {
      fill(this.list, h('p', {class: 'muted an-empty'},
        'Play a move on the board for either side, or paste a game.'));
      return;
    }
    fill(this.list, this.#rows());
    this.#mark();
  }

  // Numbers and moves are cells of one grid; variations take its whole width.
  #rows() {
    const {tree} = this.session;
    const cells = [];
    const gap = () => h('span', {class: 'an-gap', 'aria-hidden': 'true'}, '…');
    const number = (node) => h('span', {class: 'an-number'}, `${tree.number(node.ply)}.`);
    let isRowOpen = false;
    for (let node = tree.root.children[0]; node; node = node.children[0]) {
      const isWhite = tree.isWhite(node);
      if (isWhite || !isRowOpen) cells.push(number(node));
      if (!isWhite && !isRowOpen) cells.push(gap());
      cells.push(this.#button(node));
      isRowOpen = isWhite;
      const others = node.parent.children.slice(1);
      if (others.length) {
        if (isWhite) cells.push(gap());
        isRowOpen = false;
        const lines = others.map((other) => this.#variation(other));
        cells.push(h('div', {class: 'an-variations'}, lines));
      }
    }
    return cells;
  }

  #variation(start) {
    const {tree} = this.session;
    const parts = [];
    let isFirst = true;
    for (let node = start; node; node = node.children[0]) {
      const isWhite = tree.isWhite(node);
      if (isWhite || isFirst) {
        const number = `${tree.number(node.ply)}${isWhite ? '.' : '…'}`;
        parts.push(h('span', {class: 'an-number'}, number));
      }
      parts.push(this.#button(node));
      isFirst = false;
      if (node !== start) {
        for (const other of node.parent.children.slice(1)) parts.push(this.#variation(other));
      }
    }
    const key = start.id;
    const act = (name, label, text) => h('button', {type: 'button', class: 'an-act',
      dataset: {key, act: name}, title: label, 'aria-label': `${label} ${tree.label(start)}`},
    text);
    return h('div', {class: 'an-variation'}, parts,
      act('promote', 'Make main line:', '↑'), act('remove', 'Delete variation', '×'));
  }

  #button(node) {
    this.#buttons.set(node.id, node);
    const judgement = node.review?.judgement;
    const symbol = SYMBOLS[judgement] ?? '';
    return h('button', {type: 'button', class: `an-move ${symbol ? `is-${judgement}` : ''}`,
      tabindex: -1, dataset: {key: node.id}, title: symbol ? WORDS[judgement] : null},
    node.san, symbol && h('b', {class: 'an-symbol', 'aria-hidden': 'true'}, symbol),
    symbol && h('span', {class: 'visually-hidden'}, ` ${WORDS[judgement]}`));
  }

  #mark() {
    const {current, root} = this.session.tree;
    let shown = null;
    for (const button of this.list.querySelectorAll('.an-move')) {
      const isCurrent = button.dataset.key === current.id;
      if (isCurrent) {
        shown = button;
        button.setAttribute('aria-current', 'true');
      } else {
        button.removeAttribute('aria-current');
      }
      button.tabIndex = isCurrent ? 0 : -1;
    }
    if (current === root) {
      const first = this.list.querySelector('.an-move');
      if (first) first.tabIndex = 0;
      this.list.scrollTop = 0;
    } else if (shown) {
      // Within the list only: the page itself stays where it is.
      const {list} = this;
      // The list is positioned, so offsets count from its top.
      const top = shown.offsetTop;
      if (top < list.scrollTop || top + shown.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    }
    if (this.list.contains(document.activeElement)) shown?.focus({preventScroll: true});
  }
}
