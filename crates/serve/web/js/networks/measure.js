// Measurements of a network on request: its reliability in self-play, its speed by kernel.

import {post} from '../api.js';
import {h} from '../dom.js';
import {count, duration} from '../runs/format.js';
import {charts, setText, table} from '../runs/parts.js';

/** A section with a button that measures; `show` makes nodes of the answer. */
function measurement(title, about, label, path, id, show) {
  const state = h('p', {class: 'muted', role: 'status'});
  const place = h('div');
  const button = h('button', {type: 'button', class: 'button', onclick: async () => {
    const begin = Date.now();
    const tell = () => setText(state, `Measuring … ${duration((Date.now() - begin) / 1000)}`);
    button.disabled = true;
    tell();
    const timer = setInterval(tell, 1000);
    try {
      place.replaceChildren(...show(await post(path, {id})));
      setText(state, '');
    } catch (fault) {
      setText(state, fault.message);
    } finally {
      clearInterval(timer);
      button.disabled = false;
    }
  }}, label);
  return h('section', {class: 'run-section'}, h('h2', {}, title),
    h('p', {class: 'run-about'}, about), h('div', {class: 'row'}, button, state), place);
}

/** How often positions that it calls 70 % are won in 70 % of the games. */
export function reliability({id}) {
  return measurement('Reliability', 'The network plays short games against itself; the diagram '
    + 'compares what it expected with how they ended.', 'Measure reliability',
  '/api/network/reliability', id, ({games, positions, svg}) => {
    const drawn = charts();
    drawn.update([svg]);
    return [h('p', {}, `${count(positions)} positions of ${count(games)} games`), drawn.node];
  });
}

const nanoseconds = (value) => (value === null || value === undefined ? '–'
  : value.toFixed(value < 100 ? 1 : 0));

function speedTable({kernels, rows}) {
  const best = (row) => Math.min(...row.nanoseconds.filter((value) => value !== null));
  const ratio = (row) => (row.floor ? `${(best(row) / row.floor).toFixed(1)} ×` : '–');
  const part = table('Speed', [
    {title: 'Operation', of: (row) => row.operation},
    ...kernels.map((name, index) => ({title: `${name}, ns`, numeric: true,
      of: (row) => nanoseconds(row.nanoseconds[index])})),
    {title: 'Memory floor, ns', of: (row) => nanoseconds(row.floor), numeric: true},
    {title: 'Best / floor', of: ratio, numeric: true},
  ], (row) => row.operation);
  part.update(rows);
  return part.node;
}

/** Nanoseconds of each operation, for each kernel of this processor. */
export function speed({id}) {
  return measurement('Speed', 'Nanoseconds of each operation on this machine, for each kernel that '
    + 'its processor has. The floor is a memory copy of the bytes that it must read or write.',
  'Measure speed', '/api/network/speed', id, (answer) => [speedTable(answer)]);
}
