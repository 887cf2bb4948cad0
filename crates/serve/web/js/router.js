// Routes: which view the part of the address after # means.

const VIEWS = {
  play: () => import('./play.js'),
  analyse: () => import('./analyse.js'),
  runs: () => import('./runs.js'),
  networks: () => import('./networks.js'),
};

/** The parts of a hash: #/runs/a%20b/c?x=1 is {view: "runs", path: ["a b", "c"], params}. */
export function parse(hash) {
  const [place, query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const segments = place.split('/').filter(Boolean).map(decode);
  const [view = 'play', ...path] = segments;
  return {view: view in VIEWS ? view : 'play', path, params: new URLSearchParams(query)};
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a view: href("runs", ["a b"], {x: 1}). */
export function href(view, path = [], params = {}) {
  const query = new URLSearchParams(params).toString();
  const place = ['#', view, ...path.map(encodeURIComponent)].join('/');
  return query ? `${place}?${query}` : place;
}

/** Goes to a view. */
export function navigate(view, path, params) {
  location.hash = href(view, path, params);
}

/** Changes the address without showing the view again. */
export function rename(view, path, params) {
  history.replaceState(null, '', href(view, path, params));
}

/** The module of a view. */
export function module(view) {
  return VIEWS[view]();
}
