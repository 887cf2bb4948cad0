// A game in progress against an engine: its line, clocks and result, kept over reloads.

import {post} from '../api.js';
import {request} from '../live.js';
import {load, save, saveLine} from '../store.js';
import {GameClock} from './clock.js';

const KEY = 'play';
const VERSION = 1;

export const other = (side) => (side === 'white' ? 'black' : 'white');
const title = (side) => (side === 'white' ? 'White' : 'Black');

/** The kept state of this tab, if it is one of a known game. */
export function keptState(games) {
  const state = load(KEY);
  const isKnown = state?.version === VERSION && Array.isArray(state.moves)
    && games.games.some((game) => game.name === state.game);
  return isKnown ? state : null;
}

/** The state at the start. `settings`: {game, fen, rules, network, side, level, clock}. */
export function newState(settings, moves = []) {
  const side = settings.side === 'random'
    ? (Math.random() < 0.5 ? 'white' : 'black') : settings.side;
  const {base} = settings.clock ?? {base: 0};
  return {
    version: VERSION, ...settings, side, orientation: side, moves,
    left: settings.clock ? {white: base, black: base} : null, result: null,
  };
}

/** Plays one game. `onChange` is called after every change, `onMove` after a move of the engine. */
export class Session {
  position = null;
  isThinking = false;
  fault = null;
  hint = null;
  clock = null;
  #engine = null;
  #hinting = null;
  /** Answers to questions about an earlier state are dropped. */
  #epoch = 0;

  constructor(state, {onChange, onMove, signal}) {
    this.state = state;
    this.onChange = onChange;
    this.onMove = onMove;
    if (state.left) this.clock = new GameClock(state.left);
    const keep = () => this.#save();
    addEventListener('pagehide', keep, {signal});
    signal.addEventListener('abort', () => this.#halt());
  }

  line(plies = this.state.moves.length) {
    const {game, fen, rules, moves} = this.state;
    return {game, fen, rules, moves: moves.slice(0, plies)};
  }

  get isOver() {
    return Boolean(this.state.result ?? this.position?.outcome);
  }

  /** {result, reason, text} of a finished game. */
  get ending() {
    return this.position?.outcome ?? this.state.result;
  }

  get isMyTurn() {
    const {position} = this;
    return !this.isOver && position?.side === this.state.side && !position.isPending;
  }

  /** Asks for the position and goes on from there: the clock runs, the engine thinks. */
  async resume() {
    this.#save();
    const epoch = this.#epoch;
    const position = await post('/api/position', this.line());
    if (epoch !== this.#epoch) return;
    this.position = position;
    const {side} = position;
    if (this.isOver) this.clock?.stop();
    else if (this.state.moves.length > 0 || side !== this.state.side) this.clock?.start(side);
    if (!this.isOver && side !== this.state.side) this.#askEngine();
    this.#save();
    this.onChange();
  }

  /** Plays a move of mine, one of the position's. */
  play(move) {
    if (!this.isMyTurn) return;
    this.clock?.press(this.state.side, this.#increment);
    this.#advance(move);
  }

  /** Appends a move before the server has confirmed it. */
  #advance(move) {
    this.#forget();
    this.state.moves = [...this.state.moves, move.text];
    const {position} = this;
    const pieces = [...position.pieces];
    for (const [cell, , after] of move.changes) pieces[cell] = after;
    this.position = {...position, pieces, side: other(position.side), ply: position.ply + 1,
      history: [...position.history, move], moves: [], check: [], outcome: null,
      isPending: true};
    this.onChange();
    this.#resumeOrFail();
  }

  async #resumeOrFail() {
    const epoch = this.#epoch;
    try {
      await this.resume();
    } catch (fault) {
      if (epoch === this.#epoch) this.#fail(fault);
    }
  }

  #fail(fault) {
    this.isThinking = false;
    this.fault = fault.message;
    this.onChange();
  }

  /** After a fault: asks the server again. */
  retry() {
    this.#forget();
    this.onChange();
    return this.#resumeOrFail();
  }

  get #increment() {
    return this.state.clock?.increment ?? 0;
  }

  #askEngine() {
    const {network, level} = this.state;
    const left = this.clock?.left();
    const whole = (time) => Math.max(Math.round(time), 1);
    const clock = left
      ? {white: whole(left.white), black: whole(left.black), increment: this.#increment} : null;
    this.isThinking = true;
    const message = {type: 'play', line: this.line(), network, level, clock};
    this.#engine = request(message, (answer) => this.#answered(answer));
  }

  #answered(answer) {
    this.isThinking = false;
    if (answer.type === 'error') {
      this.clock?.stop();
      this.#fail(answer.error);
      return;
    }
    const move = this.position.moves.find(({text}) => text === answer.move);
    if (!move) {
      this.#fail({message: `The engine answered ${answer.move}, which is not legal here.`});
      return;
    }
    const side = other(this.state.side);
    this.clock?.press(side, this.#increment, answer.time_ms);
    if (this.clock && this.clock.left()[side] <= 0) {
      this.flag(side);
      return;
    }
    this.onMove(move);
    this.#advance(move);
  }

  /** Ends the game because a side's time is over. */
  flag(side) {
    const winner = other(side);
    this.#finish(winner, 'time', `${title(winner)} wins on time`);
  }

  resign() {
    const winner = other(this.state.side);
    this.#finish(winner, 'resignation', `${title(winner)} wins by resignation`);
  }

  #finish(winner, reason, text) {
    this.#forget();
    this.clock?.stop();
    this.state.result = {white: winner === 'white' ? 1 : 0,
      result: winner === 'white' ? '1-0' : '0-1', reason, text};
    this.#save();
    this.onChange();
  }

  /** How many plies remain after taking back my last move, or null if I have made none. */
  get takeBackPly() {
    const count = this.state.moves.length;
    if (!this.position || count === 0) return null;
    const isMine = this.position.side === this.state.side;
    const plies = count - (isMine ? 2 : 1);
    return plies >= 0 ? plies : null;
  }

  /** Goes back to an earlier position and plays on from there. */
  async takeBack(plies) {
    this.#forget();
    this.state.moves = this.state.moves.slice(0, plies);
    this.state.result = null;
    if (this.clock) {
      this.clock.stop();
      // A flag that has fallen would fall again at once.
      const {white, black} = this.clock.left();
      const floor = (time) => Math.max(time, 15_000);
      this.clock = new GameClock({white: floor(white), black: floor(black)});
    }
    await this.#resumeOrFail();
  }

  /** Asks for a good move of mine. */
  askHint(onFault) {
    this.#hinting?.stop();
    const message = {type: 'hint', line: this.line(), network: this.state.network};
    this.#hinting = request(message, (answer) => {
      this.#hinting = null;
      if (answer.type === 'error') onFault(answer.error.message);
      else this.hint = this.position.moves.find(({text}) => text === answer.move) ?? null;
      this.onChange();
    });
    this.onChange();
  }

  get isHinting() {
    return this.#hinting !== null;
  }

  flip() {
    this.state.orientation = other(this.state.orientation);
    this.#save();
    this.onChange();
  }

  /** Drops what belongs to the position before. */
  #forget() {
    this.#epoch += 1;
    this.#engine?.stop();
    this.#hinting?.stop();
    this.#engine = null;
    this.#hinting = null;
    this.hint = null;
    this.fault = null;
    this.isThinking = false;
  }

  /** Another view is shown: nothing runs on, and everything is kept. */
  #halt() {
    this.#forget();
    this.#save();
    this.clock?.stop();
  }

  #save() {
    if (this.clock) this.state.left = this.clock.left();
    save(KEY, this.state);
    saveLine(this.state.game, this.line());
  }
}
