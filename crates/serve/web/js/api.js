// Requests over HTTP. Paths are whole: get('/api/run', {path}).

/** An answer that is not the one asked for: `code` for programs, `message` for people. */
export class ApiError extends Error {
  constructor(code, message, status) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, {credentials: 'same-origin', cache: 'no-store', ...options});
  } catch (fault) {
    if (fault.name === 'AbortError') throw fault;
    throw new ApiError('unreachable', 'The server does not answer; is accrue serve still running?');
  }
  const text = await response.text();
  let value = null;
  try {
    value = text ? JSON.parse(text) : {};
  } catch {
    // Falls through to the error below.
  }
  if (response.ok && value !== null) return value;
  const {code = 'bad_answer', message = `The server answered ${response.status} to ${path}.`} =
    value?.error ?? {};
  throw new ApiError(code, message, response.status);
}

/** Asks; entries of `query` that are null are left out. */
export function get(path, query = {}, {signal} = {}) {
  const isGiven = ([, value]) => value !== null && value !== undefined;
  const entries = Object.entries(query).filter(isGiven);
  const text = new URLSearchParams(entries).toString();
  return answer(text ? `${path}?${text}` : path, {signal});
}

/** Sends a body as JSON. */
export function post(path, body, {signal} = {}) {
  return answer(path, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body ?? {}),
    signal,
  });
}

let known = null;

/** The answer of /api/games, asked once for the page. */
export function games() {
  known ??= get('/api/games').catch((fault) => {
    known = null;
    throw fault;
  });
  return known;
}

/** The list of networks, asked each time: files appear while a training runs. */
export async function networks(options) {
  return (await get('/api/networks', {}, options)).networks;
}

/** The networks that can play a game, its default first. */
export async function networksOf(game, options) {
  const list = (await networks(options))
    .filter((network) => network.game === game.name && !network.error);
  const rank = (network) => (network.id === game.default_network ? 0 : 1);
  return list.sort((a, b) => rank(a) - rank(b));
}
