// The panel of a network: what it says about the position, and the lines of its search. Two of them
// stand side by side when networks are compared.

import {fill, h, toast} from '../dom.js';
import {request} from '../live.js';
import {debounce} from './session.js';
import {mateText, pawns, percent, scoreText, short} from './tree.js';
import './bar.js';

const MAX_MOVES = 14;
const POLICY_MOVES = 5;

export class NetworkPanel {
  #search = null;
  #rows = [];
  #token = 0;
  #turn = 0;

  constructor(session, slot) {
    Object.assign(this, {session, slot, evaluation: null, report: null, node: null});
    this.setting = slot ? 'second' : 'network';
    this.#build();
    const restart = debounce(() => this.#restart(), 120);
    const evaluate = debounce(() => this.#evaluate(), 40);
    session.on('position', () => {
      this.#forget();
      evaluate();
      restart();
    });
    session.on('settings', (changes) => {
      const isOurs = this.setting in changes || 'compare' in changes;
      if (isOurs) {
        this.#choices();
        evaluate();
      }
      const keys = ['running', 'multipv', 'threads'];
      if (isOurs || keys.some((key) => key in changes)) restart();
    });
    session.signal.addEventListener('abort', () => this.#stop());
  }

  get id() {
    return this.session.settings[this.setting] ?? null;
  }

  get isActive() {
    return this.slot === 0 || this.session.settings.compare;
  }

  #build() {
    this.select = h('select', {'aria-label': this.slot ? 'Second network' : 'Network',
      onchange: () => this.session.set({[this.setting]: this.select.value || null})});
    this.score = h('output', {class: 'an-score', 'aria-live': 'off'}, '–');
    this.words = h('p', {class: 'an-words small muted'});
    this.bar = document.createElement('eval-bar');
    this.bar.className = 'is-flat';
    this.wdl = h('div', {class: 'an-wdl', role: 'img', hidden: true});
    this.stats = h('p', {class: 'an-stats small muted', 'aria-live': 'off'});
    this.lines = h('ol', {class: 'an-lines', 'aria-live': 'off',
      'aria-label': 'Lines of the analysis'});
    this.policy = h('div', {class: 'an-policy'});
    this.element = h('section', {class: 'an-network',
      'aria-label': this.slot ? 'Second network' : 'Network'},
    h('div', {class: 'an-network-head'}, this.select, this.score),
    this.bar, this.words, this.wdl, this.stats, this.lines, this.policy);
    this.lines.addEventListener('click', (event) => this.#click(event));
    this.lines.addEventListener('keydown', (event) => this.#key(event));
    for (const type of ['pointerover', 'focusin']) {
      this.lines.addEventListener(type, (event) => this.#point(event.target.closest('li')));
    }
    for (const type of ['pointerleave', 'focusout']) {
      this.lines.addEventListener(type, () => this.#point(null));
    }
  }

  start() {
    this.#choices();
  }

  #choices() {
    const {session} = this;
    const options = session.networks.map(({id, name, error}) => h('option',
      {value: id, disabled: Boolean(error)}, error ? `${name} (cannot be read)` : name));
    if (!session.game.default_network) {
      options.unshift(h('option', {value: ''}, 'Material (no network)'));
    }
    fill(this.select, options);
    this.select.value = this.id ?? '';
  }

  #forget() {
    this.evaluation = null;
    this.report = null;
  }

  async #evaluate() {
    const {session} = this;
    if (!this.isActive || !session.tree) return;
    const token = ++this.#token;
    try {
      const evaluation = await session.evaluation(this.id);
      if (token !== this.#token) return;
      this.evaluation = evaluation;
      this.#drawEvaluation();
      session.emit('evaluation', this);
    } catch (fault) {
      if (token !== this.#token || fault.name === 'AbortError') return;
      fill(this.words, fault.message);
    }
  }

  #drawEvaluation() {
    const {cp, expected, wdl, quantile_expected: band, policy} = this.evaluation;
    this.bar.value = {expected, quantile_expected: band};
    const isNetwork = this.id !== null;
    const source = isNetwork ? 'Network' : 'Material';
    fill(this.words, `${source} ${pawns(cp)}, White ${percent(expected)}. `,
      band ? `80 % interval ${percent(band[0])} to ${percent(band[4])}.`
        : `No interval: ${isNetwork ? 'this network' : 'material'} has no quantiles.`);
    this.wdl.hidden = !wdl;
    if (wdl) {
      const names = ['White wins', 'draw', 'Black wins'];
      const words = wdl.map((share, at) => `${names[at]} ${percent(share)}`).join(', ');
      this.wdl.setAttribute('aria-label', words);
      this.wdl.title = words;
      fill(this.wdl, wdl.map((share, at) => {
        const part = h('span', {class: `an-wdl-${'wdl'[at]}`}, share >= 0.1 ? percent(share) : '');
        part.style.flexGrow = Math.max(share, 0.001);
        return part;
      }));
    }
    this.#drawPolicy(policy);
    if (!this.report) fill(this.score, pawns(cp));
  }

  #drawPolicy(policy) {
    if (!policy?.length) {
      fill(this.policy, this.session.settings.compare && !this.session.network(this.id)?.has_policy
        ? h('p', {class: 'small muted'}, 'No policy: this network has none.') : null);
      return;
    }
    const {session} = this;
    const node = session.tree.current;
    const best = [...policy].sort((a, b) => b.probability - a.probability).slice(0, POLICY_MOVES);
    fill(this.policy, h('h2', {class: 'an-small-title'}, 'Policy'),
      h('ul', {class: 'an-policy-list'}, best.map(({text, san, probability}) => {
        const share = h('span', {class: 'an-share'});
        share.style.width = `${probability * 100}%`;
        return h('li', {}, h('button', {type: 'button', class: 'an-policy-move',
          onclick: () => this.#play(node, [text])}, share,
        h('span', {}, san), h('span', {class: 'an-number'}, percent(probability))));
      })));
  }

  #stop() {
    this.#search?.stop();
    this.#search = null;
  }

  async #restart() {
    const {session} = this;
    const {running, multipv, threads} = session.settings;
    const node = session.tree?.current;
    const old = this.#search;
    const turn = ++this.#turn;
    if (!running || !node || !this.isActive || session.signal.aborted) {
      this.#stop();
      this.element.classList.remove('is-searching');
      if (this.isActive && !this.report) this.#drawIdle();
      return;
    }
    const {outcome, moves} = await session.position(node).catch(() => ({moves: []}));
    if (turn !== this.#turn || session.signal.aborted) return;
    if (outcome || !moves.length) {
      this.#stop();
      this.#drawIdle(outcome?.text);
      return;
    }
    this.node = node;
    const message = {type: 'analyse', slot: this.slot, line: session.tree.request(node),
      network: this.id, multipv, threads};
    const search = request(message, (answer) => {
      if (this.#search === search) this.#receive(answer);
    });
    this.#search = search;
    if (!this.#rows.length) fill(this.stats, 'The search starts…');
    // After the new request, so that the server keeps the slot and its transposition table.
    old?.stop();
  }

  #receive(answer) {
    if (answer.type === 'error') {
      this.#search = null;
      this.#drawIdle(answer.error.message);
      toast(answer.error.message);
      return;
    }
    if (answer.type !== 'analysis' || this.node !== this.session.tree.current) return;
    this.report = answer;
    this.element.classList.toggle('is-searching', answer.running);
    this.#drawReport();
    this.session.emit('analysis', this);
  }

  #drawIdle(text) {
    this.report = null;
    this.element.classList.remove('is-searching');
    fill(this.stats, text ?? 'Analysis is off.');
    this.#rows = [];
    fill(this.lines);
    if (this.evaluation) fill(this.score, pawns(this.evaluation.cp));
    this.session.emit('analysis', this);
  }

  #drawReport() {
    const {depth, seldepth, nodes, nps, hashfull, lines} = this.report;
    fill(this.score, scoreText(lines[0]?.score));
    fill(this.stats, `depth ${depth}/${seldepth} · ${short(nodes)} nodes · ${short(nps)}/s · `
      + `hash ${Math.round(hashfull / 10)} %`);
    while (this.#rows.length > lines.length) this.#rows.pop().item.remove();
    while (this.#rows.length < lines.length) this.#addRow();
    lines.forEach((line, at) => this.#drawRow(this.#rows[at], line));
  }

  #addRow() {
    const score = h('span', {class: 'an-line-score'});
    const moves = h('span', {class: 'an-line-moves'});
    const item = h('li', {dataset: {at: this.#rows.length}}, score, moves);
    this.#rows.push({item, score, moves, buttons: []});
    this.lines.append(item);
  }

  // Rows and buttons stay the same elements, so that a click or the focus survives an update.
  #drawRow(row, line) {
    const {tree} = this.session;
    const sign = {lower: '≥', upper: '≤'}[line.bound] ?? '';
    row.score.textContent = sign + scoreText(line.score);
    const meaning = mateText(line.score) || `White ${percent(line.expected)}`;
    row.score.title = `${meaning}, depth ${line.depth}`;
    row.score.classList.toggle('for-black', line.expected < 0.5);
    const moves = line.moves.slice(0, MAX_MOVES);
    while (row.buttons.length > moves.length) row.buttons.pop().remove();
    while (row.buttons.length < moves.length) {
      const at = row.buttons.length;
      const button = h('button', {type: 'button', class: 'an-pv', tabindex: at ? -1 : 0,
        dataset: {at}});
      row.buttons.push(button);
      row.moves.append(button);
    }
    moves.forEach(({san}, at) => {
      const ply = this.node.ply + at + 1;
      const isWhite = tree.isWhite({ply});
      const number = isWhite ? `${tree.number(ply)}. ` : at === 0 ? `${tree.number(ply)}… ` : '';
      const text = number + san;
      if (row.buttons[at].textContent !== text) row.buttons[at].textContent = text;
    });
  }

  #play(node, texts) {
    this.session.playTexts(node, texts).catch((fault) => toast(fault.message));
  }

  #click(event) {
    const button = event.target.closest('.an-pv');
    const line = button && this.report?.lines[button.closest('li').dataset.at];
    if (!line) return;
    const count = Number(button.dataset.at) + 1;
    this.#point(null);
    this.#play(this.node, line.moves.slice(0, count).map(({text}) => text));
  }

  // Left and right go through the moves of a line, up and down through the lines.
  #key(event) {
    const button = event.target.closest('.an-pv');
    if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = Number(button.closest('li').dataset.at);
    const at = Number(button.dataset.at);
    const targets = {ArrowLeft: [row, at - 1], ArrowRight: [row, at + 1],
      ArrowUp: [row - 1, 0], ArrowDown: [row + 1, 0]};
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    const [toRow, toMove] = targets[event.key];
    this.#rows[toRow]?.buttons[toMove]?.focus();
  }

  #point(item) {
    const at = item ? Number(item.dataset.at) : null;
    if (this.pointed === at) return;
    this.pointed = at;
    this.session.emit('point', this);
  }
}
