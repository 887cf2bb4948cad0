// What the browser keeps: lines handed from view to view, and the state of each tab.
//
// A tab finds its own state again after a reload (sessionStorage); a new tab begins with the latest
// of any tab (localStorage) and then goes its own way, so that two tabs never write over each
// other's game.

const PREFIX = 'accrue.';

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the page works, it only forgets.
  }
}

/** Keeps a value for this tab, and as the latest for new tabs. */
export function save(key, value) {
  write(sessionStorage, key, value);
  write(localStorage, key, value);
}

/** The value of this tab, or the latest of any tab, or null. */
export function load(key) {
  return read(sessionStorage, key) ?? read(localStorage, key);
}

/** Hands a line {game, fen, rules, moves} to the other views of this tab. */
export function saveLine(game, line) {
  save(`line.${game}`, line);
}

/** The line that another view handed over last, or null. */
export function loadLine(game) {
  const line = load(`line.${game}`);
  return line && line.game === game && Array.isArray(line.moves) ? line : null;
}
