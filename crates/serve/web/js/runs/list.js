// The list of runs below the root, and the form that starts a quickstart.

import {post} from '../api.js';
import {h} from '../dom.js';
import {href, navigate} from '../router.js';
import {about, changed, group, keepTime, keyed, progress, setText, status} from './parts.js';
import {watch} from './watch.js';

/** The kinds of runs and what a list of them is called. */
export const KINDS = {quickstart: 'Quickstarts', training: 'Trainings', match: 'Matches',
  loop: 'Loops', data: 'Data'};

function card(run) {
  const link = h('a', {class: 'run-link', href: href('runs', [run.path])});
  const state = status();
  const place = h('span');
  const summary = h('p', {class: 'run-summary'});
  const [bar, moment] = [progress(), changed()];
  const node = h('li', {class: 'panel run-card'},
    h('div', {class: 'run-stage-head'}, h('h3', {}, link), state.node),
    h('p', {class: 'run-meta'}, place, moment.node), summary, bar.node);
  return {node, update(value) {
    setText(link, value.name);
    state.update(value.status);
    const words = about(value);
    setText(place, words && `${words} · `);
    setText(summary, value.summary);
    bar.update(value);
    moment.update(value);
  }};
}

/** Those that run first, in an order that does not change while they run; then the newest. */
function inOrder(runs) {
  const rank = (run) => (run.status === 'running' ? 0 : 1);
  return [...runs].sort((a, b) => rank(a) - rank(b)
    || (rank(a) ? b.updated - a.updated : 0) || a.path.localeCompare(b.path));
}

function kindSection(kind) {
  const cards = keyed(h('ul', {class: 'run-cards'}), (run) => run.path, card);
  const number = h('span', {class: 'run-count'});
  const node = h('section', {class: 'run-section', hidden: true},
    h('h2', {}, `${KINDS[kind]} `, number), cards.node);
  return {node, update({runs, shown}) {
    const own = inOrder(runs.filter((run) => run.kind === kind));
    node.hidden = own.length === 0 || (shown !== 'all' && shown !== kind);
    setText(number, String(own.length));
    cards.update(own);
  }};
}

function filter(onChange) {
  const choices = [['all', 'All'], ...Object.entries(KINDS)].map(([value, label]) => {
    const input = h('input', {type: 'radio', name: 'run-kind', value, checked: value === 'all',
      onchange: () => onChange(value)});
    return h('label', {}, input, h('span', {}, label));
  });
  return h('fieldset', {class: 'field run-filter'}, h('legend', {}, 'Show'),
    h('div', {class: 'segmented'}, choices));
}

function field(label, control) {
  control.id = `quickstart-${control.name}`;
  return h('div', {class: 'field'}, h('label', {for: control.id}, label), control);
}

/** A name that no run has. */
function freeName(game, runs) {
  const taken = new Set(runs.map((run) => run.path.split('/')[0]));
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${game}-quickstart` : `${game}-quickstart-${number}`;
    if (!taken.has(name)) return name;
  }
}

function quickstartForm({games, limits}) {
  const game = h('select', {name: 'game'},
    games.map(({name, title}) => h('option', {value: name}, title ?? name)));
  const minutes = h('input', {name: 'minutes', type: 'number', min: 0.1, max: 1440, step: 'any',
    value: 5, required: true});
  const name = h('input', {name: 'name', required: true, maxlength: 64, autocomplete: 'off',
    spellcheck: 'false'});
  const most = limits?.threads ?? 1;
  const threads = h('input', {name: 'threads', type: 'number', min: 1, max: most, step: 1,
    value: most, required: true});
  const fault = h('p', {class: 'form-fault', role: 'alert', hidden: true});
  const start = h('button', {class: 'button primary'}, 'Start');
  let [isNamed, runs] = [false, []];
  const suggest = () => {
    if (!isNamed) name.value = freeName(game.value, runs);
  };
  name.addEventListener('input', () => { isNamed = name.value !== ''; });
  game.addEventListener('change', suggest);
  suggest();
  const form = h('form', {class: 'run-form'},
    field('Game', game), field('Minutes', minutes), field('Name', name),
    field('Threads', threads), start);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    [fault.hidden, start.disabled] = [true, true];
    try {
      const {path} = await post('/api/quickstart/start', {game: game.value,
        minutes: minutes.valueAsNumber, name: name.value.trim(), threads: threads.valueAsNumber});
      navigate('runs', [path]);
    } catch (reason) {
      fault.hidden = false;
      setText(fault, reason.message);
    } finally {
      start.disabled = false;
    }
  });
  const node = h('section', {class: 'panel'}, h('h2', {}, 'Start a quickstart'),
    h('p', {class: 'run-about'}, 'From the rules of a game to a network that plays: self-play '
      + 'games, a training, and a match against the evaluation that it started from.'),
    form, fault);
  return {node, update: (message) => {
    ({runs} = message);
    suggest();
  }};
}

/** Shows the list until the signal fires. */
export function showList(container, {games, signal}) {
  let [shown, latest] = ['all', null];
  const form = quickstartForm(games);
  const sections = group('div', {}, Object.keys(KINDS).map(kindSection));
  const empty = h('p', {class: 'loading'}, 'Loading …');
  const root = h('p', {class: 'muted small'});
  const update = () => {
    if (!latest) return;
    form.update(latest);
    sections.update({...latest, shown});
    const isEmpty = !latest.runs.some((run) => shown === 'all' || run.kind === shown);
    empty.hidden = !isEmpty;
    setText(empty, shown === 'all'
      ? 'Nothing yet. Start a quickstart, or run accrue in this folder.'
      : `No ${KINDS[shown].toLowerCase()} yet.`);
    setText(root, latest.root ? `Everything below ${latest.root}` : '');
  };
  const choose = filter((kind) => {
    shown = kind;
    update();
  });
  container.append(h('h1', {}, 'Runs'), root, form.node, choose, empty, sections.node);
  watch(null, (message) => {
    latest = message;
    update();
  }, (fault) => {
    if (!latest) setText(empty, fault.message);
  }, signal);
  keepTime(container, signal);
}
