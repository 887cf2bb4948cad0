// <game-replay>: a finished game to click through.

import './board.js';
import {svgNode} from './pieces.js';

const REPLAY_STEPS = [
  ['Start', 'M6 5v14M18 5l-8 7 8 7', () => 0],
  ['Back', 'm15 5-8 7 8 7', (ply) => ply - 1],
  ['Forward', 'm9 5 8 7-8 7', (ply) => ply + 1],
  ['End', 'M18 5v14M6 5l8 7-8 7', (_, last) => last],
];
const REPLAY_KEYS = {ArrowLeft: 1, ArrowRight: 2, Home: 0, End: 3};

function replayElement(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/**
 * Property data, or JSON in a child <script type="application/json">: {game, start, history:
 * [{san, changes}], white, black, result, reason}. `ply` is how many moves are shown; the event
 * `ply` tells when it changes.
 */
export class GameReplay extends HTMLElement {
  #data = null;
  #ply = 0;
  #positions = [];
  #parts = null;

  get data() {
    return this.#data;
  }

  set data(value) {
    this.#data = value;
    if (this.isConnected) this.#build();
  }

  get ply() {
    return this.#ply;
  }

  set ply(value) {
    this.#show(value);
  }

  connectedCallback() {
    if (Object.hasOwn(this, 'data')) {
      this.#data = this.data;
      delete this.data;
    }
    const script = this.querySelector('script[type="application/json"]');
    if (!this.#data && script) {
      try {
        this.#data = JSON.parse(script.textContent);
      } catch {
        return;
      }
    }
    if (this.#data && !this.#parts) this.#build();
  }

  #build() {
    const {game, start, history, white, black, result, reason} = this.#data;
    this.#positions = [start];
    for (const {changes} of history) {
      const pieces = [...this.#positions.at(-1)];
      for (const [cell, , after] of changes) pieces[cell] = after;
      this.#positions.push(pieces);
    }
    const board = document.createElement('game-board');
    Object.assign(board, {game, coordinates: true});
    const slider = Object.assign(document.createElement('input'),
      {type: 'range', min: 0, max: history.length, ariaLabel: 'Move'});
    slider.addEventListener('input', () => this.#show(Number(slider.value)));
    const buttons = REPLAY_STEPS.map(([label, path, to]) => this.#button(label, path, to));
    const [first, back, forward, last] = buttons;
    const controls = replayElement('div', 'replay-controls', first, back, slider, forward, last);
    const moves = replayElement('ol', 'replay-moves', ...history.map((_, at) => this.#move(at)));
    moves.setAttribute('aria-label', 'Moves');
    const ending = replayElement('p', 'replay-result', [result, reason].filter(Boolean).join(' · '));
    const players = replayElement('p', 'replay-players', replayElement('span', '', white ?? ''),
      replayElement('span', '', black ?? ''));
    this.#parts = {board, slider, buttons, moves};
    this.replaceChildren(...white || black ? [players] : [], board, controls, moves, ending);
    this.onkeydown = (event) => this.#key(event);
    this.#ply = -1;
    this.#show(history.length);
  }

  #button(label, path, to) {
    const icon = svgNode('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'},
      svgNode('path', {d: path}));
    const button = replayElement('button', '', icon);
    Object.assign(button, {type: 'button', ariaLabel: label, title: label});
    button.addEventListener('click', () => this.#show(to(this.#ply, this.#data.history.length)));
    return button;
  }

  #move(at) {
    const number = at % 2 ? '' : replayElement('span', 'replay-number', `${at / 2 + 1}.\u00a0`);
    const button = replayElement('button', '', this.#data.history[at].san);
    button.type = 'button';
    button.addEventListener('click', () => this.#show(at + 1));
    return replayElement('li', '', number, button);
  }

  #key(event) {
    const step = REPLAY_KEYS[event.key];
    if (step === undefined || event.target.type === 'range' || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    this.#show(REPLAY_STEPS[step][2](this.#ply, this.#data.history.length));
  }

  #show(wanted) {
    const {history, game} = this.#data;
    const ply = Math.min(Math.max(wanted, 0), history.length);
    if (ply === this.#ply) return;
    this.#ply = ply;
    const {board, slider, buttons, moves} = this.#parts;
    board.pieces = this.#positions[ply];
    board.last = ply ? history[ply - 1].changes.map(([cell]) => cell) : [];
    slider.value = ply;
    slider.setAttribute('aria-valuetext', ply ? `${ply}: ${history[ply - 1].san}` : game.title);
    buttons[0].disabled = buttons[1].disabled = ply === 0;
    buttons[2].disabled = buttons[3].disabled = ply === history.length;
    moves.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = moves.children[ply - 1]?.querySelector('button');
    current?.setAttribute('aria-current', 'true');
    if (current) moves.scrollTop = current.offsetTop - moves.offsetTop - moves.clientHeight / 2;
    this.dispatchEvent(new CustomEvent('ply', {detail: ply}));
  }
}

if (!customElements.get('game-replay')) customElements.define('game-replay', GameReplay);
