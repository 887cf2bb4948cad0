// The list of networks: built in, and found below the root.

import {networks} from '../api.js';
import {h} from '../dom.js';
import {href} from '../router.js';
import {bytes} from '../runs/format.js';

/** Where a network comes from, in words. */
const SOURCES = [['built-in', 'Built in'], ['file', 'Found below the root']];

/** What a network can do, as short words. */
export function chips(network) {
  const words = [...network.heads, network.calibrated ? 'calibrated' : 'not calibrated'];
  return h('ul', {class: 'net-chips', 'aria-label': 'Heads'},
    words.map((word) => h('li', {class: 'chip'}, word)));
}

/** The title of a game, or its name if the server does not have it. */
export function gameTitle(name, {games}) {
  if (!name) return 'any game';
  return games.games.find((game) => game.name === name)?.title ?? name;
}

function card(network, context) {
  const title = h('h3', {}, h('a', {class: 'run-link', href: href('networks', [network.id])},
    network.name));
  if (network.error) {
    return h('li', {class: 'panel run-card'}, title,
      h('p', {class: 'run-fault'}, h('strong', {}, '✕ Cannot be read: '), network.error));
  }
  const meta = [gameTitle(network.game, context), bytes(network.bytes)];
  return h('li', {class: 'panel run-card'}, title, h('p', {class: 'run-meta'}, meta.join(' · ')),
    h('p', {class: 'net-line'}, network.architecture), chips(network));
}

function section(title, list, context) {
  return h('section', {class: 'run-section'}, h('h2', {}, `${title} `,
    h('span', {class: 'run-count'}, list.length)),
  h('ul', {class: 'run-cards'}, list.map((network) => card(network, context))));
}

/** A choice of game, if there are several. */
function filter(list, context, onChange) {
  const names = [...new Set(list.map((network) => network.game).filter(Boolean))];
  const select = h('select', {id: 'net-game', onchange: () => onChange(select.value)},
    h('option', {value: ''}, 'All games'),
    names.map((name) => h('option', {value: name}, gameTitle(name, context))));
  return h('div', {class: 'field run-filter', hidden: names.length < 2},
    h('label', {for: 'net-game'}, 'Game'), select);
}

/** Shows the list. */
export async function showList(container, context) {
  const list = await networks({signal: context.signal});
  const place = h('div');
  const update = (game) => {
    const chosen = list.filter((network) => !game || network.game === game);
    const groups = SOURCES.map(([source, title]) =>
      [title, chosen.filter((network) => network.source === source)]);
    place.replaceChildren(...groups.filter(([, own]) => own.length)
      .map(([title, own]) => section(title, own, context)));
  };
  update('');
  container.append(h('h1', {}, 'Networks'), filter(list, context, update), place);
  if (list.length === 0) {
    place.append(h('p', {class: 'loading'}, 'There are no networks yet; a quickstart makes one.'));
  }
}
