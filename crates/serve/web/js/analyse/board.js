// The board of the page: the position, and what is drawn over it.

import {h} from '../dom.js';
import {debounce} from './session.js';
import {mateText, pawns, percent} from './tree.js';
import '/report/board.js';
import './bar.js';

const POLICY_ARROWS = 6;
const RANK_WEIGHTS = [1, 0.55, 0.4, 0.3, 0.25];

const NOTHING = [];

const shown = ({from, to}) => to !== null && to !== undefined && {from: from ?? null, to};

export class BoardView {
  #position = null;
  #explained = null;

  constructor(session, panels) {
    Object.assign(this, {session, panels});
    this.board = document.createElement('game-board');
    this.board.game = session.game;
    this.board.coordinates = true;
    this.bar = document.createElement('eval-bar');
    this.element = h('div', {class: 'an-board'}, this.bar, this.board);
    this.board.addEventListener('move', (event) => session.play(event.detail));
    const explain = debounce(() => this.#explain(), 60);
    session.on('position', () => {
      this.#explained = null;
      this.#show();
      explain();
    });
    session.on('settings', (changes) => {
      if ('overlay' in changes || 'network' in changes) explain();
      this.#turn();
      this.draw();
    });
    session.on('evaluation analysis', () => {
      this.#drawBar();
      this.draw();
    });
    session.on('point review', () => this.draw());
    this.#turn();
  }

  #turn() {
    const {flipped} = this.session.settings;
    this.board.orientation = flipped ? 'black' : 'white';
    this.bar.flipped = flipped;
  }

  // The pieces at once; the legal moves when the server has said them.
  #show() {
    const {session, board} = this;
    const node = session.tree.current;
    this.#position = null;
    board.pieces = node.pieces;
    board.moves = NOTHING;
    board.check = NOTHING;
    board.last = [node.from, node.to].filter((cell) => cell !== null && cell !== undefined);
    this.draw();
    session.position(node).then((position) => {
      if (node !== session.tree.current) return;
      this.#position = position;
      board.moves = position.outcome ? [] : position.moves;
      board.check = position.check;
      session.emit('known', position);
    }, (fault) => {
      if (fault.name !== 'AbortError') session.emit('fault', fault);
    });
  }

  #drawBar() {
    const [{evaluation, report}] = this.panels;
    if (!evaluation) return;
    const {expected, quantile_expected} = evaluation;
    this.bar.value = {expected, quantile_expected, search: report?.lines[0]?.expected ?? null};
  }

  async #explain() {
    const {session} = this;
    if (!session.settings.overlay.pieces) return;
    const node = session.tree.current;
    const network = session.settings.network;
    try {
      const {pieces} = await session.evaluation(network, true);
      if (node !== session.tree.current || network !== session.settings.network) return;
      this.#explained = pieces;
      session.emit('explained', pieces.length > 0);
      this.draw();
    } catch (fault) {
      if (fault.name !== 'AbortError') session.emit('fault', fault);
    }
  }

  draw() {
    const {board, session} = this;
    if (!session.tree) return;
    board.arrows = this.#arrows();
    const {overlay} = session.settings;
    const cells = session.game.cells.length;
    const explained = overlay.pieces && this.#explained?.length > 0;
    board.labels = explained ? this.#labels(cells) : NOTHING;
    if (explained) board.heat = this.#contributions(cells);
    else if (overlay.heat && this.#policy().length) board.heat = this.#policyHeat(cells);
    else board.heat = NOTHING;
  }

  #arrows() {
    const {settings, tree} = this.session;
    const arrows = settings.overlay.policy ? this.#policyArrows() : [];
    const better = tree.current.next?.review;
    const isBad = better && !['best', 'good'].includes(better.judgement);
    if (isBad && better.best) arrows.push({...shown(better.best), weight: 0.8, kind: 'hint'});
    if (!settings.arrows) return arrows;
    const panels = settings.compare ? this.panels : this.panels.slice(0, 1);
    const best = [];
    const isPointed = panels.some(({pointed}) => Number.isInteger(pointed));
    panels.forEach((panel, slot) => {
      (panel.report?.lines ?? []).forEach((line, at) => {
        const move = line.moves[0] && shown(line.moves[0]);
        const isSame = (other) => other.from === move.from && other.to === move.to;
        if (!move || (isPointed && panel.pointed !== at) || (slot && best.some(isSame))) return;
        const weight = isPointed ? 1 : RANK_WEIGHTS[at] ?? 0.2;
        best.push({...move, weight, kind: slot ? 'second' : 'best'});
      });
    });
    // The strongest is drawn last, on top of the others.
    return [...arrows, ...best].sort((a, b) => a.weight - b.weight);
  }

  #policy() {
    const policy = this.panels[0].evaluation?.policy ?? [];
    return [...policy].sort((a, b) => b.probability - a.probability);
  }

  #policyArrows() {
    return this.#policy().slice(0, POLICY_ARROWS).filter(shown).map((move) => (
      {...shown(move), weight: Math.sqrt(move.probability), kind: 'policy'}));
  }

  #policyHeat(cells) {
    const sums = new Array(cells).fill(0);
    for (const {to, probability} of this.#policy()) {
      if (to !== null) sums[to] += probability;
    }
    const max = Math.max(...sums, 1e-9);
    return sums.map((sum) => (sum > 0.002 ? Math.sqrt(sum / max) : null));
  }

  #contributions(cells) {
    const values = new Array(cells).fill(null);
    const known = this.#explained.filter(({cp}) => cp !== null);
    const max = Math.max(...known.map(({cp}) => Math.abs(cp)), 1);
    for (const {cell, cp} of known) values[cell] = Math.sign(cp) * Math.sqrt(Math.abs(cp) / max);
    return values;
  }

  #labels(cells) {
    const labels = new Array(cells).fill(null);
    for (const {cell, cp} of this.#explained) {
      if (cp !== null) labels[cell] = pawns(cp, Math.abs(cp) >= 1000 ? 0 : 1);
    }
    return labels;
  }

  // One sentence about the position, for screen readers on demand.
  summary() {
    const {tree} = this.session;
    const parts = [tree.label(tree.current)];
    if (this.#position?.outcome) return `${parts[0]}. ${this.#position.outcome.text}.`;
    parts.push(this.bar.getAttribute('aria-label'));
    for (const panel of this.session.settings.compare ? this.panels : this.panels.slice(0, 1)) {
      const line = panel.report?.lines[0];
      if (!line) continue;
      const moves = line.moves.slice(0, 5).map(({san}) => san).join(' ');
      const name = this.session.networkName(panel.id);
      const says = mateText(line.score) || percent(line.expected);
      parts.push(`${name}, depth ${panel.report.depth}: ${says}, ${moves}`);
    }
    return `${parts.join('. ')}.`;
  }
}
