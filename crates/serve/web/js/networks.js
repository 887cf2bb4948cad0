// The view of networks: the list of all, or one of them.

import '/report/chart.js';
import {stylesheet} from './dom.js';
import {showList} from './networks/list.js';
import {showNetwork} from './networks/page.js';

/** Shows the list, or the network that the path names. */
export async function show(container, context) {
  await stylesheet('/runs.css');
  if (context.signal.aborted) return;
  const [id] = context.path;
  if (id) await showNetwork(container, id, context);
  else await showList(container, context);
}
