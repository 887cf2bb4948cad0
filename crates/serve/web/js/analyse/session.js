// The session of the Analyse page: the tree of moves, the settings, and what the server said about
// each position. Parts of the page listen to its events: "tree" (moves came or went), "position"
// (the reader went elsewhere), "settings", "analysis" (a report of a search), "review".

import {networks, post} from '../api.js';
import {load, loadLine, save} from '../store.js';
import {Tree} from './tree.js';

const DEFAULTS = {
  running: false, multipv: 3, threads: 1, flipped: false, arrows: true, overlay: {},
  network: null, second: null, compare: false, nodes: 10000,
};
// Answers that are kept: about as many as a long game has positions, for two networks.
const MAX_CACHED = 600;
// Variations that are found again after a reload.
const MAX_LEAVES = 16;

export class Session extends EventTarget {
  #answers = new Map();
  #saving = 0;

  constructor(game, limits, signal) {
    super();
    Object.assign(this, {game, limits, signal, tree: null, networks: [], searches: [null, null]});
    this.settings = {...DEFAULTS, ...load('analyse.settings'), ...load(`analyse.${game.name}.net`)};
  }

  emit(type, detail) {
    if (!this.signal.aborted) this.dispatchEvent(new CustomEvent(type, {detail}));
  }

  on(types, run) {
    for (const type of types.split(' ')) {
      this.addEventListener(type, (event) => run(event.detail), {signal: this.signal});
    }
  }

  async open() {
    const list = await networks({signal: this.signal});
    this.networks = list.filter(({game}) => game === this.game.name || game === null);
    const {settings} = this;
    const has = (id) => this.networks.some((network) => network.id === id && !network.error);
    if (!has(settings.network)) settings.network = this.game.default_network;
    if (!has(settings.second)) {
      const other = this.networks.find(({id, error}) => id !== settings.network && !error);
      settings.second = other?.id ?? settings.network;
    }
    await this.#restore();
  }

  // A line that another view handed over since the last visit comes before the kept tree.
  async #restore() {
    const kept = load(`analyse.${this.game.name}`);
    const handed = loadLine(this.game.name);
    this.handed = handed ? JSON.stringify(handed) : null;
    const isNew = this.handed && this.handed !== kept?.handed;
    const start = {game: this.game.name, fen: null, rules: {}, moves: []};
    try {
      if (isNew && kept && continues(kept, handed)) {
        const leaves = [...kept.leaves.slice(0, MAX_LEAVES - 1), handed.moves];
        return await this.#rebuild({...kept, leaves, at: handed.moves});
      }
      if (isNew) return await this.load(handed);
      if (kept) return await this.#rebuild(kept);
    } catch (fault) {
      if (fault.name === 'AbortError') throw fault;
      // What was kept is not of this version of the rules.
    }
    return this.load(start);
  }

  async #rebuild({fen, rules, leaves, at, tags, result, review}) {
    const line = (moves) => ({game: this.game.name, fen, rules, moves});
    const [first, ...others] = await Promise.all(leaves.slice(0, MAX_LEAVES).map((moves) =>
      post('/api/position', line(moves), {signal: this.signal})));
    const tree = new Tree(line([]), first);
    for (const {history} of others) tree.add(history);
    Object.assign(tree, {tags: tags ?? {}, result: result ?? null});
    let node = tree.root;
    for (const text of at ?? []) node = node.children.find((child) => child.text === text) ?? node;
    this.#adopt(tree, node, review);
  }

  // Shows a line from the server's or another view's hands; the reader begins at its start or end.
  async load(line, {tags = {}, result = null, atEnd = true} = {}) {
    const position = await post('/api/position', line, {signal: this.signal});
    const tree = new Tree(line, position);
    Object.assign(tree, {tags, result: result && {text: result, of: tree.end().id}});
    this.#adopt(tree, atEnd ? tree.end() : tree.root);
  }

  #adopt(tree, node, review = null) {
    this.tree = tree;
    this.review = review;
    this.#answers.clear();
    tree.go(node);
    this.emit('tree');
    this.emit('position');
    this.keep();
  }

  keep() {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.keepNow(), 300);
  }

  keepNow() {
    clearTimeout(this.#saving);
    const {tree, handed, game} = this;
    if (!tree) return;
    const at = tree.current.path.map(({text}) => text);
    const {fen, rules, tags, result} = tree;
    save(`analyse.${game.name}`, {fen, rules, leaves: tree.leaves(MAX_LEAVES), at, tags, result,
      handed, review: this.review});
  }

  set(changes) {
    Object.assign(this.settings, changes);
    const {network, second, ...others} = this.settings;
    save('analyse.settings', others);
    save(`analyse.${this.game.name}.net`, {network, second});
    this.emit('settings', changes);
  }

  go(node) {
    if (!node || node === this.tree.current) return;
    this.tree.go(node);
    this.emit('position');
    this.keep();
  }

  step(direction) {
    const {current} = this.tree;
    this.go(direction < 0 ? current.parent : current.next);
  }

  goToPly(ply) {
    this.go(ply <= 0 ? this.tree.root : this.tree.line[Math.min(ply, this.tree.line.length) - 1]);
  }

  play(move) {
    const {current} = this.tree;
    const before = current.children.length;
    const node = this.tree.addMove(current, move);
    this.tree.go(node);
    if (current.children.length !== before) this.emit('tree');
    this.emit('position');
    this.keep();
  }

  // Plays texts of moves from a node: the server says what they change on the board.
  async playTexts(node, texts) {
    const line = this.tree.request(node);
    line.moves.push(...texts);
    const {tree} = this;
    const {history} = await post('/api/position', line, {signal: this.signal});
    if (tree !== this.tree) return;
    tree.go(tree.add(history));
    this.emit('tree');
    this.emit('position');
    this.keep();
  }

  remove(node) {
    const {current} = this.tree;
    const parent = this.tree.remove(node);
    if (current === node || current.path.includes(node)) this.tree.go(parent);
    this.emit('tree');
    this.emit('position');
    this.keep();
  }

  promote(node) {
    this.tree.promote(node);
    this.emit('tree');
    this.keep();
  }

  position(node = this.tree.current) {
    return this.#ask(`p${node.id}`, '/api/position', this.tree.request(node));
  }

  evaluation(network, explain = false, node = this.tree.current) {
    const body = {line: this.tree.request(node), network, explain};
    return this.#ask(`e${network}|${explain}|${node.id}`, '/api/evaluate', body);
  }

  #ask(key, path, body) {
    let answer = this.#answers.get(key);
    if (answer) return answer;
    answer = post(path, body, {signal: this.signal});
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.delete(key));
    if (this.#answers.size > MAX_CACHED) this.#answers.delete(this.#answers.keys().next().value);
    return answer;
  }

  network(id) {
    return this.networks.find((network) => network.id === id) ?? null;
  }

  networkName(id) {
    return this.network(id)?.name ?? 'Material';
  }
}

// Whether a line goes on from a variation of the kept tree, or is the beginning of one.
function continues({fen, rules, leaves}, line) {
  const isSame = fen === (line.fen ?? null)
    && JSON.stringify(rules) === JSON.stringify(line.rules ?? {});
  const agrees = (moves) => moves.every((text, at) => text === (line.moves[at] ?? text));
  return isSame && line.moves.length > 0 && leaves.some(agrees);
}

// Runs the last call only, after a pause: a reader who holds an arrow key asks for no more.
export function debounce(run, pause) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, pause);
  };
}
