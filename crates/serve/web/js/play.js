// The Play view: a game of a person against an engine.

import '/report/board.js';
import {BoardLayout} from '/report/geometry.js';
import {post} from './api.js';
import {fill, h, icon, toast} from './dom.js';
import {confirm} from './dialog.js';
import {href, rename} from './router.js';
import {loadLine, saveLine} from './store.js';
import {formatTime} from './play/clock.js';
import {MoveList, moveNumber} from './play/moves.js';
import {Session, keptState, newState, other} from './play/session.js';
import {Setup} from './play/setup.js';
import {openPgn, shareGame} from './play/transfer.js';

/**
 * The address may name a game; ?from=line continues the line that another view handed over, and
 * ?network= begins a new game with a network.
 */
export async function show(container, context) {
  const view = new PlayView(container, context);
  await view.begin(context);
  return () => view.leave();
}

function button(label, name, onclick, kind = '') {
  return h('button', {type: 'button', class: `button ${kind}`, onclick}, name && icon(name), label);
}

/** The class of the dot in the colour of a side's pieces. */
function sideClass(game, side) {
  return `player-side side-${/^[XO]+$/i.test(game.pieces) ? 'disc-' : ''}${side}`;
}

class PlayView {
  #games;
  #signal;
  #session = null;
  #setup = null;
  /** The ply that is looked at; null follows the game. */
  #looked = null;
  #ticker = null;
  #preview = 0;

  constructor(container, {games, signal}) {
    this.#games = games;
    this.#signal = signal;
    this.board = document.createElement('game-board');
    this.board.coordinates = true;
    this.board.addEventListener('move', (event) => this.#played(event.detail));
    this.upper = this.#player();
    this.lower = this.#player();
    this.moves = new MoveList((ply) => this.#look(ply));
    this.side = h('div', {class: 'play-side'});
    this.#buildPanel();
    this.stage = h('div', {class: 'play-stage'}, this.upper.element, this.board,
      this.lower.element);
    container.append(h('div', {class: 'play'}, this.stage, this.side));
    this.#ticker = setInterval(() => this.#tick(), 100);
    document.addEventListener('keydown', (event) => this.#key(event), {signal});
  }

  leave() {
    clearInterval(this.#ticker);
  }

  async begin({path, params}) {
    const wanted = this.#games.games.find(({name}) => name === path[0]);
    const state = keptState(this.#games);
    if (wanted && params.get('from') === 'line' && await this.#continueLine(wanted)) return;
    const network = params.get('network');
    if (network) this.#showSetup(wanted?.name, network);
    else if (state && (!wanted || state.game === wanted.name)) await this.#enter(state);
    else this.#showSetup(wanted?.name);
  }

  /** Plays on where another view was: the person has the side to move. */
  async #continueLine(game) {
    const line = loadLine(game.name);
    rename('play', [game.name]);
    if (!line) return false;
    const settings = new Setup({games: this.#games, game: game.name, signal: this.#signal,
      onPreview() {}}).settings();
    try {
      const {side} = await post('/api/position', line, {signal: this.#signal});
      const network = game.default_network;
      await this.#enter(newState({...settings, ...line, network, side}, line.moves));
    } catch (fault) {
      toast(fault.message);
      return false;
    }
    return true;
  }

  /** Shows a game and goes on with it. */
  async #enter(state) {
    this.#setup = null;
    this.#preview += 1;
    this.#looked = null;
    this.#endSession();
    const controller = this.#ending = new AbortController();
    this.#signal.addEventListener('abort', () => controller.abort(), {signal: controller.signal});
    const session = new Session(state, {
      onChange: () => session === this.#session && this.#draw(),
      onMove: (move) => this.board.announce(`${this.#name(other(state.side))}: ${move.san}`),
      signal: controller.signal,
    });
    this.#session = session;
    rename('play', [state.game]);
    this.#setGame(this.#game(state.game));
    fill(this.side, this.panel);
    // On a phone the button that begins a game is far below the board.
    scrollTo({top: 0});
    try {
      await session.resume();
    } catch (fault) {
      // A game that the server does not accept is of no use any more.
      this.#endSession();
      this.#session = null;
      if (!this.#signal.aborted) {
        toast(fault.message);
        this.#showSetup(state.game);
      }
    }
  }

  #ending = null;

  #endSession() {
    this.#ending?.abort();
    this.#ending = null;
  }

  /** The board is as wide as the height of the window allows. */
  #setGame(game) {
    this.board.game = game;
    const {width, height} = new BoardLayout(game, 'white', true);
    this.stage.style.setProperty('--aspect', (width / height).toFixed(3));
  }

  #game(name) {
    return this.#games.games.find((game) => game.name === name);
  }

  #showSetup(game, network) {
    const back = this.#session && this.#session.state;
    this.#setup = new Setup({
      games: this.#games, game: game ?? back?.game, network, signal: this.#signal,
      onPreview: (settings) => this.#showPreview(settings),
      onStart: (settings) => this.#enter(newState(settings)),
      onCancel: back && (() => this.#enter(back)),
      onPgn: () => this.#openPgn(this.#setup.chosen, this.#setup.settings()),
    });
    this.#endSession();
    fill(this.side, this.#setup.element);
  }

  /** The board of a game that has not begun. A move on it begins the game. */
  async #showPreview(settings) {
    const preview = this.#preview += 1;
    const game = this.#game(settings.game);
    rename('play', [game.name]);
    const {fen, rules} = settings;
    if (this.board.game !== game) {
      // The board has its place before the pieces come.
      this.#setGame(game);
      Object.assign(this.board, {pieces: [], moves: [], last: [], check: [], arrows: []});
    }
    let position;
    try {
      position = await post('/api/position', {game: game.name, fen, rules, moves: []},
        {signal: this.#signal});
    } catch (fault) {
      if (!this.#signal.aborted) toast(fault.message);
      return;
    }
    if (preview !== this.#preview) return;
    const mine = settings.side === 'random' ? position.side : settings.side;
    Object.assign(this.board, {pieces: position.pieces, check: position.check, last: [],
      arrows: [], orientation: mine, moves: mine === position.side ? position.moves : []});
    for (const bar of [this.upper, this.lower]) {
      fill(bar.name, bar === this.lower ? 'You' : 'accrue');
      bar.dot.className = sideClass(game, bar === this.lower ? mine : other(mine));
      bar.clock.hidden = true;
      bar.thinking.hidden = true;
      bar.element.classList.remove('to-move');
    }
  }

  async #played(move) {
    if (this.#setup) {
      const settings = {...this.#setup.settings(), side: this.board.orientation};
      await this.#enter(newState(settings, [move.text]));
    } else {
      this.#session.play(move);
    }
  }

  #player() {
    const dot = h('span', {class: 'player-side', 'aria-hidden': 'true'});
    const name = h('span', {class: 'player-name'});
    const thinking = h('span', {class: 'thinking', hidden: true}, h('span', {}), h('span', {}),
      h('span', {}), h('span', {class: 'visually-hidden'}, 'thinking'));
    const clock = h('span', {class: 'clock', role: 'timer', hidden: true});
    return {element: h('div', {class: 'player'}, dot, name, thinking, clock), dot, name, thinking,
      clock};
  }

  #buildPanel() {
    this.headline = h('p', {class: 'headline'});
    this.detail = h('p', {class: 'muted small'});
    this.again = button('Try again', '', () => this.#session.retry());
    this.rematch = button('Rematch', 'plus', () => this.#rematch());
    this.continue = button('Play on from here', 'undo', () => this.#continueHere());
    this.latest = button('Back to the game', 'last', () => this.#look(this.#count));
    this.undo = button('Take back', 'undo', () => this.#takeBack());
    this.hint = button('Hint', 'hint', () => this.#session.askHint(toast));
    this.flip = button('Flip', 'flip', () => this.#session.flip());
    this.resign = button('Resign', 'flag', () => this.#resign());
    this.analyse = h('a', {class: 'button', onclick: () => this.#handOver()}, icon('analyse'),
      'Analyse this game');
    const group = (label, ...buttons) =>
      h('div', {class: 'actions', role: 'group', 'aria-label': label}, buttons);
    this.actions = group('Actions', this.undo, this.hint, this.flip, this.resign, this.rematch);
    // As high as the actions that they replace: the buttons to step must not move away.
    this.choices = group('Earlier position', this.continue, this.latest);
    this.panel = h('section', {class: 'panel game-panel', 'aria-label': 'Game'},
      h('div', {class: 'status'}, h('h1', {class: 'visually-hidden'}, 'Play'), this.headline,
        this.detail, this.again),
      this.actions, this.choices,
      this.moves.list, this.moves.steps,
      h('div', {class: 'links'}, this.analyse,
        button('New game', '', () => this.#showSetup()),
        button('Share', '', () => this.#share()),
        button('Open PGN', '', () =>
          this.#openPgn(this.#game(this.#session.state.game), this.#session.state))));
  }

  get #count() {
    return this.#session.position?.history.length ?? 0;
  }

  get #ply() {
    return this.#looked ?? this.#count;
  }

  #look(ply) {
    this.#looked = ply === this.#count ? null : ply;
    this.#draw();
  }

  #draw() {
    const session = this.#session;
    if (this.#setup || !session?.position) return;
    if (this.#looked !== null && this.#looked >= this.#count) this.#looked = null;
    this.#drawBoard(session);
    this.#drawPanel(session);
    this.moves.update(session.position, this.#ply);
    this.#drawPlayers(session);
  }

  #drawBoard({position, state, hint, isMyTurn}) {
    const ply = this.#ply;
    const isLatest = this.#looked === null;
    let pieces = position.pieces;
    if (!isLatest) {
      pieces = [...position.start];
      for (const {changes} of position.history.slice(0, ply)) {
        for (const [cell, , after] of changes) pieces[cell] = after;
      }
    }
    const played = position.history[ply - 1];
    const marked = [played?.from, played?.to].filter((cell) => cell !== null && cell !== undefined);
    const arrows = isLatest && hint && hint.to !== null
      ? [{from: hint.from, to: hint.to, weight: 1, kind: 'hint'}] : [];
    Object.assign(this.board, {
      pieces, arrows, orientation: state.orientation, last: marked,
      check: isLatest ? position.check : [], moves: isLatest && isMyTurn ? position.moves : [],
    });
  }

  #drawPanel(session) {
    const {state, isOver, ending, fault, hint, position} = session;
    const isLatest = this.#looked === null;
    const [headline, detail] = this.#words(session);
    if (isOver && this.headline.textContent !== headline) {
      this.board.announce(`${headline}. ${detail}`);
    }
    fill(this.headline, headline);
    fill(this.detail, detail);
    this.again.hidden = !fault;
    this.actions.hidden = !isLatest;
    this.choices.hidden = isLatest;
    this.rematch.hidden = !isOver;
    this.resign.hidden = isOver;
    this.undo.disabled = session.takeBackPly === null || position.history.length === 0;
    this.hint.disabled = !session.isMyTurn || !isLatest || session.isHinting || Boolean(hint);
    this.flip.hidden = this.board.game.drops;
    this.analyse.href = href('analyse', [state.game]);
    this.panel.classList.toggle('is-over', Boolean(ending));
    this.analyse.classList.toggle('primary', Boolean(ending));
  }

  /** The headline and the sentence below it. */
  #words(session) {
    const {state, position, isOver, ending, isThinking, fault, hint, isMyTurn, isHinting} = session;
    const level = this.#games.levels.find(({number}) => number === state.level);
    const against = `${this.#game(state.game).title} · level ${state.level}`
      + `${level ? `, ${level.name}` : ''}`;
    if (fault) return ['Something went wrong', fault];
    if (this.#looked !== null) return [this.#lookedName(session), against];
    if (isOver) {
      const mine = state.side === 'white' ? ending.white : 1 - ending.white;
      const headline = mine > 0.5 ? 'You win' : mine < 0.5 ? 'accrue wins' : 'Draw';
      return [headline, `${ending.text} · ${ending.result}`];
    }
    if (hint) return [`Hint: ${hint.san}`, against];
    if (isHinting) return ['Looking for a hint …', against];
    if (isMyTurn) return ['Your move', against];
    // Until the server confirms a move of the engine, nobody can move.
    const isBusy = isThinking || position.side === state.side;
    return [isBusy ? 'accrue is thinking …' : 'accrue to move', against];
  }

  #lookedName({position}) {
    const ply = this.#looked;
    if (ply === 0) return 'Looking at the start';
    return `Looking at ${moveNumber(position, ply)} ${position.history[ply - 1].san}`;
  }

  #name(side) {
    return side === this.#session.state.side ? 'You' : 'accrue';
  }

  #drawPlayers({state, position, isOver, isThinking}) {
    const isDrops = this.board.game.drops;
    const lower = isDrops ? state.side : state.orientation;
    for (const [bar, side] of [[this.lower, lower], [this.upper, other(lower)]]) {
      bar.side = side;
      bar.dot.className = sideClass(this.board.game, side);
      const isEngine = side !== state.side;
      const network = state.network?.split('/').at(-1) ?? 'material';
      fill(bar.name, this.#name(side), isEngine && h('span', {class: 'muted small'},
        ` level ${state.level} · ${network}`));
      bar.thinking.hidden = !(isEngine && isThinking);
      bar.element.classList.toggle('to-move', !isOver && position.side === side);
    }
    this.#tick();
  }

  /** Shows the clocks and looks whether a flag falls. */
  #tick() {
    const session = this.#session;
    if (this.#setup || !session) return;
    const left = session.clock?.left();
    for (const bar of [this.upper, this.lower]) {
      bar.clock.hidden = !left;
      if (!left || !bar.side) continue;
      const text = formatTime(left[bar.side]);
      if (bar.clock.textContent !== text) bar.clock.textContent = text;
      bar.clock.classList.toggle('is-low', left[bar.side] < 10_000);
    }
    const {running} = session.clock ?? {};
    // The engine's time is what the server measures: its flag falls when it answers too late.
    if (running && running === session.state.side && left[running] <= 0) session.flag(running);
  }

  #key(event) {
    const isFree = event.target === document.body || this.panel.contains(event.target);
    if (!isFree || event.target.matches('input, select, textarea') || this.#setup) return;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#session?.position) return;
    this.moves.key(event);
  }

  #takeBack() {
    const plies = this.#session.takeBackPly;
    this.#looked = null;
    if (plies !== null) this.#session.takeBack(plies);
  }

  #continueHere() {
    const plies = this.#looked;
    this.#looked = null;
    this.#session.takeBack(plies);
  }

  async #resign() {
    const session = this.#session;
    if (await confirm('Resign?', 'The game ends and accrue wins.', 'Resign')) session.resign();
  }

  #rematch() {
    const {game, fen, rules, network, side, level, clock} = this.#session.state;
    this.#enter(newState({game, fen, rules, network, level, clock, side: other(side)}));
  }

  #handOver() {
    const session = this.#session;
    saveLine(session.state.game, session.line());
  }

  async #share() {
    const engine = this.upper.side === this.#session.state.side ? this.lower : this.upper;
    const names = {[this.#session.state.side]: 'You',
      [other(this.#session.state.side)]: engine.name.textContent};
    try {
      const today = new Date().toLocaleDateString('sv').replaceAll('-', '.');
      await shareGame(this.#session, this.#ply, {Event: 'accrue serve', Date: today,
        White: names.white, Black: names.black});
    } catch (fault) {
      toast(fault.message);
    }
  }

  #openPgn(game, settings) {
    const {network, level, clock} = settings;
    const side = settings.side === 'random' ? 'white' : settings.side;
    openPgn(game, async ({line, result, tags}) => {
      const state = newState({network, level, clock, side, ...line, game: game.name}, line.moves);
      if (result && result !== '*') state.result = pgnEnding(result, tags);
      await this.#enter(state);
    });
  }
}

/** The ending of a game that was read: a PGN says who won, and seldom why. */
function pgnEnding(result, tags) {
  const white = {'1-0': 1, '0-1': 0}[result] ?? 0.5;
  const text = white === 1 ? 'White won' : white === 0 ? 'Black won' : 'The game was drawn';
  return {white, result, reason: tags.Termination ?? '', text};
}

