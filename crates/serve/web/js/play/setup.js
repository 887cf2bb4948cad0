// The form of a new game.

import {networksOf, post} from '../api.js';
import {fill, h} from '../dom.js';
import {load, save} from '../store.js';
import {dialog} from '../dialog.js';

const KEY = 'play.settings';
const CLOCKS = [[1, 0], [3, 2], [5, 3], [10, 5], [15, 10]];
const SIDES = [['white', 'White'], ['random', 'Random'], ['black', 'Black']];

let count = 0;

/** A labelled control. */
function field(label, control, note) {
  control.id ||= `setup-${count += 1}`;
  return h('div', {class: 'field'}, h('label', {for: control.id}, label), control, note);
}

function select(options, value, onchange) {
  const element = h('select', {onchange}, options.map(([key, text]) =>
    h('option', {value: key}, text)));
  element.value = value;
  if (element.selectedIndex < 0) element.selectedIndex = 0;
  return element;
}

/** The form. `onPreview(settings)`: the board to show has changed; `onStart(settings)`: play. */
export class Setup {
  #games;
  #fen = null;
  #signal;
  /** The network that the address names. */
  #wanted;

  constructor({games, game, network, signal, onPreview, onStart, onCancel, onPgn}) {
    this.#games = games;
    this.#signal = signal;
    this.#wanted = network ?? null;
    this.onPreview = onPreview;
    const kept = load(KEY) ?? {};
    this.game = select(games.games.map(({name, title}) => [name, title]), game ?? kept.game,
      () => this.#changeGame());
    this.network = h('select', {});
    this.networkNote = h('p', {class: 'muted small note', 'aria-live': 'polite'});
    this.sides = SIDES.map(([value, text]) => {
      const radio = h('input', {type: 'radio', name: 'side', value});
      radio.checked = value === (kept.side ?? 'white');
      radio.addEventListener('change', () => this.#preview());
      return [radio, text];
    });
    this.level = this.#levelControl(kept.level);
    this.levelNote = h('p', {class: 'muted small note', id: 'level-about'});
    this.level.setAttribute('aria-describedby', 'level-about');
    this.clock = this.#clockControl(kept);
    this.rules = h('div', {class: 'fields'});
    this.fenNote = h('div', {class: 'row'});
    this.element = this.#build({onStart, onCancel, onPgn});
    this.#showLevel();
    this.#changeGame();
  }

  #levelControl(kept) {
    const {levels} = this.#games;
    const control = select(levels.map(({number, name}) => [number, `${number} · ${name}`]),
      kept ?? levels[Math.floor((levels.length - 1) / 2)]?.number, () => this.#showLevel());
    return control;
  }

  #clockControl(kept) {
    const options = [['none', 'No clock'],
      ...CLOCKS.map(([minutes, seconds]) => [`${minutes}+${seconds}`, `${minutes} + ${seconds}`]),
      ['custom', 'Custom …']];
    const choice = select(options, kept.clock ?? 'none', () => this.#showCustom());
    const number = (value, max) => h('input', {type: 'number', min: 0, max, step: 'any', value,
      inputmode: 'decimal'});
    this.minutes = number(kept.minutes ?? 20, 180);
    this.seconds = number(kept.seconds ?? 10, 180);
    this.custom = h('div', {class: 'custom-clock'}, field('Minutes', this.minutes),
      field('Seconds a move', this.seconds));
    return choice;
  }

  #build({onStart, onCancel, onPgn}) {
    const form = h('form', {class: 'panel fields setup', 'aria-label': 'New game'},
      h('h1', {}, 'New game'),
      field('Game', this.game),
      h('fieldset', {class: 'field'}, h('legend', {}, 'Your side'),
        h('div', {class: 'segmented'}, this.sides.map(([radio, text]) =>
          h('label', {}, radio, h('span', {}, text))))),
      field('Strength', this.level, this.levelNote),
      field('Network', this.network, this.networkNote),
      h('div', {class: 'field'}, field('Clock', this.clock), this.custom),
      h('details', {class: 'more'}, h('summary', {}, 'More'),
        h('div', {class: 'fields'}, this.rules,
          h('div', {class: 'field'}, h('span', {class: 'field-name'}, 'Start position'),
            this.fenNote),
          h('div', {}, h('button', {type: 'button', class: 'button', onclick: onPgn},
            'Open a PGN …')))),
      h('div', {class: 'setup-buttons'},
        onCancel && h('button', {type: 'button', class: 'button', onclick: onCancel},
          'Back to the game'),
        h('button', {type: 'submit', class: 'button primary'}, 'Play')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      onStart(this.settings());
    });
    this.#showCustom();
    return form;
  }

  get chosen() {
    return this.#games.games.find(({name}) => name === this.game.value);
  }

  /** What is chosen, as the state of a game needs it; kept for the next time. */
  settings() {
    const side = this.sides.find(([radio]) => radio.checked)?.[0].value ?? 'white';
    const level = Number(this.level.value);
    save(KEY, {game: this.game.value, side, level, clock: this.clock.value,
      minutes: this.minutes.value, seconds: this.seconds.value});
    return {game: this.game.value, fen: this.#fen, rules: this.#chosenRules(),
      network: this.network.value || null, side, level, clock: this.#chosenClock()};
  }

  #chosenClock() {
    const {value} = this.clock;
    if (value === 'none') return null;
    const [minutes, seconds] = value === 'custom'
      ? [Number(this.minutes.value) || 0, Number(this.seconds.value) || 0]
      : value.split('+').map(Number);
    // Less than five seconds in all is a slip of the keyboard.
    const base = Math.min(Math.max(minutes * 60_000, 5000), 10_800_000);
    return {base, increment: Math.min(Math.max(seconds, 0), 180) * 1000};
  }

  #chosenRules() {
    const rules = {};
    for (const control of this.rules.querySelectorAll('select')) {
      const setting = this.chosen.settings.find(({name}) => name === control.dataset.setting);
      if (control.selectedIndex > 0) rules[setting.name] = setting.values[control.selectedIndex];
    }
    return rules;
  }

  #showLevel() {
    const level = this.#games.levels.find(({number}) => number === Number(this.level.value));
    fill(this.levelNote, level?.about ?? '');
  }

  #showCustom() {
    this.custom.hidden = this.clock.value !== 'custom';
  }

  #changeGame() {
    this.#fen = null;
    this.#showFen();
    const {settings} = this.chosen;
    fill(this.rules, settings.map(({name, values, about}) => {
      const control = select(values.map((value) => [String(value), String(value)]),
        String(values[0]), () => this.#preview());
      control.dataset.setting = name;
      return field(name.replaceAll('_', ' '), control,
        h('p', {class: 'muted small note'}, about));
    }));
    this.#listNetworks();
    this.#preview();
  }

  async #listNetworks() {
    const game = this.chosen;
    let networks = [];
    let fault = '';
    try {
      networks = await networksOf(game, {signal: this.#signal});
    } catch (reason) {
      fault = reason.message;
    }
    if (game !== this.chosen || this.#signal.aborted) return;
    const isDefault = ({id}) => id === game.default_network;
    const options = networks.map((network) =>
      [network.id, isDefault(network) ? `${network.name} (default)` : network.name]);
    fill(this.network, options.map(([value, text]) => h('option', {value}, text)));
    if (options.length === 0) fill(this.network, h('option', {value: ''}, 'None: material only'));
    if (options.some(([id]) => id === this.#wanted)) this.network.value = this.#wanted;
    fill(this.networkNote, fault);
  }

  #preview() {
    this.onPreview(this.settings());
  }

  #showFen() {
    const change = h('button', {type: 'button', class: 'button', onclick: () => this.askFen()},
      'From a FEN …');
    const reset = h('button', {type: 'button', class: 'button', onclick: () => this.setFen(null)},
      'Reset');
    fill(this.fenNote, this.#fen ? [h('code', {class: 'fen'}, this.#fen), change, reset] : change);
  }

  setFen(fen) {
    this.#fen = fen;
    this.#showFen();
    this.#preview();
  }

  /** Asks for a FEN until the server accepts it. */
  askFen() {
    const text = h('textarea', {class: 'text-area', rows: 3, spellcheck: 'false'});
    text.value = this.#fen ?? this.chosen.start_fen;
    const accept = async () => {
      const fen = text.value.trim();
      const line = {game: this.game.value, fen, rules: this.#chosenRules(), moves: []};
      await post('/api/position', line, {signal: this.#signal});
      this.setFen(fen === this.chosen.start_fen ? null : fen);
    };
    dialog('Start from a position', field(`FEN of ${this.chosen.title}`, text),
      [{label: 'Use this position', primary: true, run: accept}]);
    text.select();
  }
}
