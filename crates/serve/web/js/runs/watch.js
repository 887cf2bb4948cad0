// Watching runs: what the server reports of them as they change.

import {request} from '../live.js';

const RETRY = 3000;

/**
 * Calls `onMessage` with the message "run" or "runs" at once and after each change, until the
 * signal fires. A run that cannot be read calls `onFault` and is asked for again: it may not have
 * begun.
 */
export function watch(path, onMessage, onFault, signal) {
  let current = null;
  let timer = null;
  const begin = () => {
    const message = path === null ? {type: 'watch'} : {type: 'watch', path};
    current = request(message, (answer) => {
      if (answer.type !== 'error') {
        onMessage(answer);
        return;
      }
      onFault(answer.error);
      timer = setTimeout(begin, RETRY);
    });
  };
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    current?.stop();
  });
  if (!signal.aborted) begin();
}
