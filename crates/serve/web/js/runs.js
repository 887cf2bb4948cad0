// The view of runs: the list of all below the root, or one of them.

import '/report/board.js';
import '/report/chart.js';
import {stylesheet} from './dom.js';
import {showList} from './runs/list.js';
import {showRun} from './runs/page.js';

/** Shows the list, or the run that the path names. */
export async function show(container, context) {
  await stylesheet('/runs.css');
  if (context.signal.aborted) return;
  const [path] = context.path;
  if (path) showRun(container, path, context);
  else showList(container, context);
}
