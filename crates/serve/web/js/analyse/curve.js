// The curve over the whole game with its q10–q90 band: click or drag to go to a position. With two
// networks there is a second curve below, and a list of where they differ most.

import {post} from '../api.js';
import {fill, h} from '../dom.js';
import {debounce} from './session.js';
import {percent, SYMBOLS} from './tree.js';
import '/report/chart.js';

const DIFFERENCES = 4;

export class Curve {
  #keys = ['', ''];
  #points = [null, null];

  constructor(session) {
    this.session = session;
    this.charts = [0, 1].map((slot) => this.#chart(slot));
    this.names = [0, 1].map(() => h('h2', {class: 'an-small-title', hidden: true}));
    this.empty = h('p', {class: 'muted an-empty'}, 'The curve appears with the first move.');
    this.differences = h('div', {class: 'an-differences', hidden: true});
    this.element = h('section', {class: 'panel an-curve', 'aria-label': 'Curve of the game'},
      this.empty, this.names[0], this.charts[0], this.names[1],
      this.charts[1], this.differences);
    const update = debounce(() => this.#update(), 200);
    session.on('tree settings review', update);
    session.on('position', () => {
      this.#cursor();
      update();
    });
  }

  #chart(slot) {
    const chart = document.createElement('chart-view');
    chart.setAttribute('pick', '');
    chart.setAttribute('aria-label', slot ? 'Curve of the second network' : 'Curve of the game');
    chart.addEventListener('pick', ({detail}) => this.session.goToPly(Math.round(detail.x)));
    chart.valueText = (ply) => this.#words(slot, Math.round(ply));
    chart.hidden = true;
    return chart;
  }

  #words(slot, ply) {
    const {tree} = this.session;
    const node = ply > 0 ? tree.line[ply - 1] : tree.root;
    const point = this.#points[slot]?.find((one) => one.ply === ply);
    return `${node ? tree.label(node) : ply}${point ? `, White ${percent(point.expected)}` : ''}`;
  }

  #cursor() {
    for (const chart of this.charts) chart.cursor = this.session.tree.current.ply;
  }

  #update() {
    const {tree, settings} = this.session;
    const line = tree.line;
    const isShort = line.length === 0;
    this.empty.hidden = !isShort;
    const isShown = [!isShort, !isShort && settings.compare];
    isShown.forEach((shown, slot) => {
      this.charts[slot].hidden = !shown;
      this.names[slot].hidden = !shown || !settings.compare;
      if (shown) this.#request(slot, line);
    });
    this.differences.hidden = !isShown[1];
  }

  async #request(slot, nodes) {
    const {session} = this;
    const network = session.settings[slot ? 'second' : 'network'];
    const line = session.tree.request(nodes.at(-1));
    const scores = this.#scores(nodes);
    const body = scores ? {line, network, scores} : {line, network};
    const key = JSON.stringify(body);
    fill(this.names[slot], session.networkName(network));
    this.#marks(nodes);
    if (key === this.#keys[slot]) return;
    this.#keys[slot] = key;
    try {
      const {points, svg} = await post('/api/curve', body, {signal: session.signal});
      if (key !== this.#keys[slot]) return;
      this.#points[slot] = points;
      this.charts[slot].svg = svg;
      this.#cursor();
      if (session.settings.compare) this.#compare();
    } catch (fault) {
      this.#keys[slot] = '';
      if (fault.name !== 'AbortError') session.emit('fault', fault);
    }
  }

  // Scores of the review by ply, the start included; null where it has not been yet.
  #scores(nodes) {
    if (!nodes.some(({review}) => review)) return null;
    // Mate in 0 does not say whose it is.
    const known = (score) => (score && score.mate !== 0 ? score : null);
    return [known(nodes[0].review?.score_before),
      ...nodes.map(({review}) => known(review?.score_after))];
  }

  #marks(nodes) {
    const marks = nodes.filter(({review}) => SYMBOLS[review?.judgement])
      .map(({ply, review}) => (
        {x: ply, text: SYMBOLS[review.judgement], kind: `is-${review.judgement}`}));
    for (const chart of this.charts) chart.marks = marks;
  }

  #compare() {
    const [first, second] = this.#points;
    const {tree} = this.session;
    if (!first || !second) return;
    const both = first.flatMap((point) => {
      const other = second.find(({ply}) => ply === point.ply);
      return other ? [{ply: point.ply, values: [point.expected, other.expected]}] : [];
    });
    const gap = ({values: [a, b]}) => Math.abs(a - b);
    const most = both.sort((a, b) => gap(b) - gap(a)).slice(0, DIFFERENCES);
    fill(this.differences, h('h2', {class: 'an-small-title'}, 'Where they differ most'),
      h('ol', {class: 'an-list'}, most.map((found) => {
        const {ply, values} = found;
        const node = ply > 0 ? tree.line[ply - 1] : tree.root;
        if (!node) return null;
        return h('li', {}, h('button', {type: 'button', class: 'an-item',
          onclick: () => this.session.goToPly(ply)},
        h('b', {}, ply ? `After ${tree.label(node)}` : 'Start'),
        ` ${values.map(percent).join(' against ')} for White`));
      })));
  }
}
