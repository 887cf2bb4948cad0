// The WebSocket of the page: one for all views, opened when first needed, reopened when it breaks.

/** Messages after which a request is over. */
const LAST = new Set(['move', 'review_done', 'error']);
const MAX_WAIT = 8000;

let socket = null;
let wait = 250;
let next = 1;
let timer = null;
const requests = new Map();
const listeners = new Set();
let state = 'idle';

/**
 * Sends a request and calls `onMessage` with each answer to it, {type: "error"} included. The
 * number is assigned here. `stop()` ends it; what is not over after a broken connection is asked
 * again, from the beginning.
 */
export function request(message, onMessage) {
  const id = next++;
  const sent = {...message, id};
  requests.set(id, {sent, onMessage});
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(sent));
  else open();
  return {
    id,
    stop() {
      if (!requests.delete(id)) return;
      if (socket?.readyState === WebSocket.OPEN) {
        socket.send(JSON.stringify({type: 'stop', id}));
      }
    },
  };
}

/** Calls back with "open" or "closed" as the connection comes and goes; returns how to end it. */
export function onState(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(now) {
  if (state === now) return;
  state = now;
  for (const listener of listeners) listener(now);
}

function open() {
  if (socket || timer) return;
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  socket = new WebSocket(`${scheme}//${location.host}/api/live`);
  socket.addEventListener('open', () => {
    wait = 250;
    announce('open');
    for (const {sent} of requests.values()) socket.send(JSON.stringify(sent));
  });
  socket.addEventListener('message', (event) => receive(event.data));
  socket.addEventListener('close', closed);
}

function closed() {
  socket = null;
  if (requests.size === 0) {
    announce('idle');
    return;
  }
  announce('closed');
  // Pages of a server that starts again do not all come back in the same moment.
  const pause = wait * (0.75 + Math.random() / 2);
  wait = Math.min(wait * 2, MAX_WAIT);
  timer = setTimeout(() => {
    timer = null;
    open();
  }, pause);
}

function receive(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return;
  }
  const found = requests.get(message.id);
  if (!found) return;
  if (LAST.has(message.type)) requests.delete(message.id);
  found.onMessage(message);
}
