// The review of a game: every move judged by a search of its own, the worst mistakes named.

import {fill, h, toast} from '../dom.js';
import {request} from '../live.js';
import {percent, SYMBOLS, WORDS} from './tree.js';

const NODE_CHOICES = [2000, 10000, 50000];
const BAD = ['inaccuracy', 'mistake', 'blunder'];

// "12…Qxb2?? lost 38 % — better was 12…Nc6".
export function reviewText(tree, node) {
  const {judgement, loss, best} = node.review;
  const isOther = best && best.text !== node.text;
  const better = isOther ? ` — better was ${tree.label(node, best.san)}` : '';
  return `${tree.label(node)}${SYMBOLS[judgement]} lost ${percent(loss)}${better}`;
}

export class Review {
  #search = null;
  #nodes = [];

  constructor(session) {
    this.session = session;
    this.choice = h('select', {id: 'an-review-nodes', onchange: () =>
      session.set({nodes: Number(this.choice.value)})});
    this.start = h('button', {type: 'button', class: 'button primary', onclick: () => this.run()},
      'Review this game');
    this.halt = h('button', {type: 'button', class: 'button', hidden: true,
      onclick: () => this.stop()}, 'Stop');
    this.progress = h('progress', {class: 'an-progress', max: 1, value: 0, hidden: true,
      'aria-label': 'Progress of the review'});
    this.status = h('p', {class: 'small muted', role: 'status'});
    this.result = h('div', {class: 'an-review-result'});
    this.element = h('section', {class: 'panel an-review', 'aria-label': 'Review'},
      h('h2', {}, 'Review'),
      h('div', {class: 'row'}, this.start, this.halt, h('div', {class: 'an-inline'},
        h('label', {class: 'small muted', for: 'an-review-nodes'}, 'Nodes a move'), this.choice)),
      this.progress, this.status, this.result);
    this.#choices();
    session.on('tree', () => this.#changed());
    session.signal.addEventListener('abort', () => this.stop());
  }

  #choices() {
    const max = this.session.limits.review_nodes ?? Infinity;
    fill(this.choice, NODE_CHOICES.filter((nodes) => nodes <= max).map((nodes) =>
      h('option', {value: nodes}, `${nodes / 1000},000`)));
    this.choice.value = String(this.session.settings.nodes);
    if (!this.choice.value) this.choice.selectedIndex = 0;
  }

  #changed() {
    const {tree} = this.session;
    this.start.disabled = Boolean(this.#search) || !tree.line.length;
    if (this.tree === tree) return;
    this.stop();
    this.tree = tree;
    this.#nodes = [];
    fill(this.result);
    fill(this.status, 'Each move is searched; mistakes are named with what was better.');
    if (this.session.review) this.#restore(this.session.review);
  }

  // A review outlives a reload, as the moves do.
  #restore({moves, list, done}) {
    let node = this.tree.root;
    for (const [at, text] of moves.entries()) {
      node = node.children.find((child) => child.text === text);
      if (!node) return;
      node.review = list[at];
      this.#nodes.push(node);
    }
    this.#show(done);
    this.session.emit('review');
  }

  run() {
    this.stop();
    const {session} = this;
    const {tree} = session;
    this.tree = tree;
    this.#nodes = tree.line;
    if (!this.#nodes.length) {
      toast('There are no moves to review: play some or paste a game.');
      return;
    }
    // Two searches would take each other's time.
    if (session.settings.running) session.set({running: false});
    for (const node of this.#nodes) node.review = null;
    fill(this.result);
    this.#running(true);
    const {network, nodes} = session.settings;
    const line = tree.request(this.#nodes.at(-1));
    const search = request({type: 'review', line, network, nodes}, (answer) => {
      if (this.#search === search) this.#receive(answer);
    });
    this.#search = search;
  }

  stop() {
    if (!this.#search) return;
    this.#search.stop();
    this.#search = null;
    this.#running(false);
    const done = this.#nodes.filter(({review}) => review).length;
    fill(this.status, `Stopped after ${done} of ${this.#nodes.length} moves.`);
    this.#show(null);
  }

  #running(is) {
    this.halt.hidden = !is;
    this.start.disabled = is;
    this.progress.hidden = !is;
    if (is) {
      this.progress.value = 0;
      fill(this.status, `Reviewing ${this.#nodes.length} moves…`);
    }
  }

  #receive(answer) {
    if (answer.type === 'error') {
      this.#search = null;
      this.#running(false);
      fill(this.status, answer.error.message);
      return;
    }
    if (answer.type === 'review_move') {
      const node = this.#nodes[answer.ply - 1];
      if (!node) return;
      node.review = answer;
      this.progress.value = answer.ply / this.#nodes.length;
      this.#announce();
    }
    if (answer.type === 'review_done') {
      this.#search = null;
      this.#running(false);
      fill(this.status, `All ${this.#nodes.length} moves are reviewed.`);
      this.#show(answer);
      this.session.emit('review');
    }
  }

  // The list and the curve follow a few times a second, however fast moves are judged.
  #announce() {
    if (this.waiting) return;
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      this.session.emit('review');
    }, 400);
  }

  #worst(done) {
    if (done) return done.worst.map((ply) => this.#nodes[ply - 1]).filter(Boolean);
    const bad = this.#nodes.filter(({review}) => BAD.includes(review?.judgement));
    return bad.sort((a, b) => b.review.loss - a.review.loss).slice(0, 3);
  }

  #show(done) {
    const {tree} = this;
    const list = this.#nodes.map(({review}) => review);
    this.session.review = {moves: this.#nodes.map(({text}) => text), list, done};
    this.session.keep();
    const worst = this.#worst(done).filter((node) => node.review);
    const item = (node) => h('li', {}, h('button', {type: 'button', dataset: {ply: node.ply},
      class: `an-item is-${node.review.judgement}`, onclick: () => this.#visit(node)},
    reviewText(tree, node)));
    fill(this.result,
      h('h3', {class: 'an-small-title'}, worst.length ? 'Worst mistakes' : 'No mistakes found'),
      worst.length > 0 && h('ol', {class: 'an-list an-worst'}, worst.map(item)),
      done && this.#table(done));
  }

  #visit(node) {
    this.session.go(node);
    // On a phone the list is far below the board.
    document.querySelector('.an-board')?.scrollIntoView({block: 'nearest'});
  }

  #table(done) {
    const sides = [done.white, done.black];
    const row = (name, value) => h('tr', {}, h('th', {scope: 'row'}, name),
      sides.map((side) => h('td', {class: 'number'}, value(side))));
    const symbol = (kind) => `${SYMBOLS[kind]} ${WORDS[kind]}`;
    return h('table', {class: 'table an-counts'},
      h('thead', {}, h('tr', {}, h('td', {}), h('th', {scope: 'col', class: 'number'}, 'White'),
        h('th', {scope: 'col', class: 'number'}, 'Black'))),
      h('tbody', {}, row(symbol('inaccuracy'), (side) => side.inaccuracies),
        row(symbol('mistake'), (side) => side.mistakes),
        row(symbol('blunder'), (side) => side.blunders),
        row('mean loss a move', (side) => `${(side.mean_loss * 100).toFixed(1)} %`)));
  }
}
