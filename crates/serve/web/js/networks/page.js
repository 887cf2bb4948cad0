// The page of one network: what it is, how it was made, and what can be measured of it.

import {get} from '../api.js';
import {h} from '../dom.js';
import {href} from '../router.js';
import {bytes, count, decimal} from '../runs/format.js';
import {charts, drawing, factList} from '../runs/parts.js';
import {chips, gameTitle} from './list.js';
import {reliability, speed} from './measure.js';

function section(title, ...content) {
  return h('section', {class: 'run-section'}, h('h2', {}, title), content);
}

function list(pairs) {
  const part = factList();
  part.update(pairs);
  return part.node;
}

function pictures(svgs) {
  const part = charts();
  part.update(svgs);
  return part.node;
}

function drawn(label, text) {
  const part = drawing(label);
  part.update(text);
  return part.node;
}

function links({id, game, error}) {
  if (!game || error) return null;
  return h('div', {class: 'row'},
    h('a', {class: 'button primary', href: href('play', [game], {network: id})}, 'Play with it'),
    h('a', {class: 'button', href: href('analyse', [game], {network: id})}, 'Analyse with it'));
}

function quantisation({positions, mean, max}) {
  return section('Quantisation error',
    h('p', {class: 'run-about'},
      'How far the integers that engines use are from the numbers of the training.'),
    list([['Positions', count(positions)], ['Mean', `${decimal(mean)} centipawns`],
      ['Largest', `${decimal(max)} centipawns`]]));
}

function calibration({facts: known, svgs}) {
  return section('Calibration', list(known), pictures(svgs));
}

function sections(view) {
  const {network} = view;
  return [
    view.drawing && section('Architecture', drawn('Architecture', view.drawing)),
    view.facts.length > 0 && section('Facts', list(view.facts)),
    view.scales.length > 0 && section('Scales', list(view.scales)),
    view.quantisation && quantisation(view.quantisation),
    view.calibration && calibration(view.calibration),
    view.score_model && section('Score model', pictures([view.score_model])),
    network.game && reliability(network),
    network.game && speed(network),
    view.neurons && section('Neurons', drawn('Neurons', view.neurons)),
    view.provenance && section('Provenance', h('pre', {class: 'net-provenance', tabindex: 0},
      view.provenance)),
  ];
}

/** Shows one network. */
export async function showNetwork(container, id, context) {
  const back = h('p', {}, h('a', {href: href('networks')}, '← All networks'));
  const waiting = h('p', {class: 'loading'}, 'Loading …');
  container.append(back, waiting);
  try {
    const view = await get('/api/network', {id}, {signal: context.signal});
    const {network} = view;
    document.title = `${network.name} · accrue`;
    waiting.remove();
    const meta = [gameTitle(network.game, context), bytes(network.bytes)];
    container.append(h('header', {class: 'run-header'}, h('h1', {}, network.name),
      h('p', {class: 'run-meta'}, meta.join(' · ')),
      h('p', {class: 'net-line'}, network.architecture),
      chips(network), network.error && h('p', {class: 'run-fault', role: 'alert'}, network.error),
      links(network)), ...sections(view).filter(Boolean));
  } catch (fault) {
    if (context.signal.aborted) return;
    waiting.remove();
    container.append(h('h1', {}, id), h('p', {class: 'run-fault', role: 'alert'}, fault.message));
  }
}
