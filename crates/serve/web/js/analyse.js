// The Analyse view: a board for both sides with what networks and the search say about it.

import {fill, h, icon, stylesheet, toast} from './dom.js';
import {navigate, rename} from './router.js';
import {load, save, saveLine} from './store.js';
import {BoardView} from './analyse/board.js';
import {EngineControls, keyHelp, listen, navigation, OverlayControls} from './analyse/controls.js';
import {Curve} from './analyse/curve.js';
import {openPaste, openShare} from './analyse/io.js';
import {MoveList} from './analyse/moves.js';
import {NetworkPanel} from './analyse/panel.js';
import {Review, reviewText} from './analyse/review.js';
import {Session} from './analyse/session.js';
import {WORDS} from './analyse/tree.js';

const APPEARANCE = ['/report/board.css', '/analyse.css'];

export async function show(container, {path, signal, games}) {
  const wanted = path[0] ?? load('analyse.game');
  const game = games.games.find(({name}) => name === wanted) ?? games.games[0];
  if (path[0] && game.name !== path[0]) {
    toast(`There is no game "${path[0]}"; this is ${game.title}.`);
  }
  rename('analyse', [game.name]);
  save('analyse.game', game.name);
  await Promise.all(APPEARANCE.map(stylesheet));
  const session = new Session(game, games.limits, signal);
  const page = build(session, games.games);
  await session.open();
  if (signal.aborted) return undefined;
  page.attach(container);
  // A reload comes before the pause after which the tree is kept.
  addEventListener('pagehide', () => session.keepNow(), {signal});
  return () => session.keepNow();
}

function build(session, games) {
  const panels = [0, 1].map((slot) => new NetworkPanel(session, slot));
  const view = new BoardView(session, panels);
  const controls = new EngineControls(session);
  const overlays = new OverlayControls(session);
  const moves = new MoveList(session);
  const curve = new Curve(session);
  const review = new Review(session);
  const paste = () => openPaste(session, () => review.run());
  const engine = h('section', {class: 'panel an-engine', 'aria-label': 'Analysis'},
    controls.element, h('div', {class: 'an-networks'}, panels.map(({element}) => element)));
  const page = h('div', {class: 'analyse'},
    h('div', {class: 'an-head'}, h('h1', {class: 'visually-hidden'}, 'Analyse'),
      gameChoice(session, games), toolbar(session, paste)),
    h('div', {class: 'an-left'}, view.element, note(session), navigation(session),
      overlays.element, curve.element),
    h('div', {class: 'an-right'}, engine, moves.element, review.element, keyHelp()));
  const compared = () => {
    page.classList.toggle('is-comparing', session.settings.compare);
    panels[1].element.hidden = !session.settings.compare;
  };
  session.on('settings', compared);
  session.on('fault', (fault) => toast(fault.message));
  listen(session, {summary: () => view.summary(), paste, review: () => review.run()});
  const attach = (container) => {
    compared();
    for (const panel of panels) panel.start();
    overlays.draw();
    page.style.setProperty('--tall', tallness(session.game));
    fill(container, page);
  };
  return {attach};
}

// How much taller the board is than wide, so that it fits into the window.
function tallness({cells}) {
  const span = (values) => Math.max(...values) - Math.min(...values) + 1;
  return (span(cells.map(({y}) => y)) / span(cells.map(({x}) => x))).toFixed(3);
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function gameChoice(session, games) {
  const select = h('select', {id: 'an-game', onchange: () => navigate('analyse', [select.value])},
    games.map(({name, title}) => h('option', {value: name}, title)));
  select.value = session.game.name;
  return h('div', {class: 'an-inline'},
    h('label', {for: 'an-game', class: 'visually-hidden'}, 'Game'), select);
}

function toolbar(session, paste) {
  const fail = (fault) => toast(fault.message);
  const button = (name, label, run) => h('button', {type: 'button', class: 'button', onclick: run},
    icon(name), label);
  const fresh = () => session.load({game: session.game.name, fen: null, rules: {}, moves: []});
  const play = () => {
    saveLine(session.game.name, session.tree.request());
    navigate('play', [session.game.name], {from: 'line'});
  };
  return h('div', {class: 'row an-toolbar'},
    button('open', 'Paste', paste), button('share', 'Share', () => openShare(session).catch(fail)),
    button('plus', 'New', () => fresh().catch(fail)), button('play', 'Play on', play));
}

// The sentence below the board: how the game ended, or what the review says about the last move.
function note(session) {
  const text = h('span', {});
  const better = h('button', {type: 'button', class: 'button quiet an-better', hidden: true,
    onclick: () => {
      const {current} = session.tree;
      session.playTexts(current.parent, [current.review.best.text])
        .catch((fault) => toast(fault.message));
    }}, 'Show it');
  const element = h('div', {class: 'an-note'}, text, better);
  let position = null;
  const draw = () => {
    const {tree} = session;
    const {current} = tree;
    const {review} = current;
    const isBad = review && !['best', 'good'].includes(review.judgement);
    better.hidden = !isBad || review.best.text === current.text;
    element.className = `an-note ${isBad ? `is-${review.judgement}` : ''}`;
    const players = tree.tags.White || tree.tags.Black
      ? `${tree.tags.White ?? '?'} – ${tree.tags.Black ?? '?'}` : '';
    const side = position && `${position.side === 'white' ? 'White' : 'Black'} to move`;
    const judged = review ? `${tree.label(current)}: ${WORDS[review.judgement]}` : '';
    fill(text, isBad ? `${capital(WORDS[review.judgement])}: ${reviewText(tree, current)}`
      : position?.outcome?.text ?? [players, judged, side].filter(Boolean).join(' · '));
  };
  session.on('known', (known) => {
    position = known;
    draw();
  });
  session.on('position', () => {
    position = null;
    if (session.tree.current.review) draw();
  });
  session.on('review', draw);
  return element;
}
