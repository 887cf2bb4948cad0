// Helpers that build elements. Text from people only ever becomes text nodes or attributes.

/**
 * An element. Attributes: `onclick` and the like take functions; `true` sets an empty attribute;
 * `false`, `null` and `undefined` set none; objects and arrays become properties of the element
 * (for custom elements, `dataset: {…}` included); all others become text. Children: nodes, texts,
 * numbers, or arrays of them; `null` and `false` are left out.
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'dataset') Object.assign(element.dataset, value);
    else if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (typeof value === 'object') element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Replaces all children. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** The element of an SVG text that comes from our own server. It never runs scripts. */
export function svg(markup) {
  const parsed = new DOMParser().parseFromString(String(markup ?? ''), 'text/html');
  const found = parsed.querySelector('svg');
  return found ? document.importNode(found, true) : document.createTextNode('');
}

/** Shows a sentence at the bottom of the page for some seconds; screen readers speak it. */
export function toast(message, {seconds = 6} = {}) {
  const place = document.getElementById('toasts');
  const note = h('div', {class: 'toast'}, String(message));
  place.append(note);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => note.remove(), seconds * 1000);
}

const sheets = new Map();

/** Loads a style sheet of a view once; resolves when it applies. */
export function stylesheet(href) {
  if (!sheets.has(href)) {
    sheets.set(href, new Promise((resolve) => {
      const link = h('link', {rel: 'stylesheet', href});
      link.addEventListener('load', resolve);
      link.addEventListener('error', resolve);
      document.head.append(link);
    }));
  }
  return sheets.get(href);
}

/** Puts text on the clipboard; where that is not allowed, shows it selected in a dialog. */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    const {showText} = await import('./dialog.js');
    showText(what, text);
  }
}

/** Saves text as a file. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
  h('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** An icon of index.html's sprite, hidden from screen readers: the control around it has a name. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('class', 'icon');
  picture.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `#icon-${name}`);
  picture.append(use);
  return picture;
}
