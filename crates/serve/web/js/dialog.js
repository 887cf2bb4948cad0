// Dialogs: the browser's own element, with a heading, a form and buttons.

import {copyText, download, fill, h} from './dom.js';

/**
 * Opens a modal dialog. `actions` are [{label, primary, run}]: run may be asynchronous; the dialog
 * closes when it ends, unless it returns false or throws, whose message is shown. Resolves when
 * the dialog is closed.
 */
export function dialog(title, content, actions = []) {
  const fault = h('p', {class: 'form-fault', role: 'alert', hidden: true});
  const heading = h('h2', {id: `dialog-${dialog.count = (dialog.count ?? 0) + 1}`}, title);
  const element = h('dialog', {class: 'dialog', 'aria-labelledby': heading.id});
  const perform = async (run, button) => {
    fault.hidden = true;
    button.disabled = true;
    try {
      if (await run?.() !== false) element.close();
    } catch (reason) {
      fault.hidden = false;
      fill(fault, reason.message);
    } finally {
      button.disabled = false;
    }
  };
  const buttons = actions.map(({label, primary, run}) => {
    const button = h('button', {type: primary ? 'submit' : 'button',
      class: primary ? 'button primary' : 'button'}, label);
    if (!primary) button.addEventListener('click', () => perform(run, button));
    return button;
  });
  const close = () => element.close();
  const cancel = h('button', {type: 'button', class: 'button', onclick: close},
    actions.length ? 'Cancel' : 'Close');
  const form = h('form', {method: 'dialog', novalidate: true}, heading,
    h('div', {class: 'dialog-body'}, content), fault,
    h('div', {class: 'dialog-buttons'}, cancel, buttons));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const at = actions.findIndex((action) => action.primary);
    if (at >= 0) perform(actions[at].run, buttons[at]);
  });
  // A click on the backdrop arrives at the element itself.
  element.addEventListener('pointerdown', (event) => {
    if (event.target === element) element.close();
  });
  element.append(form);
  document.body.append(element);
  element.showModal();
  return new Promise((resolve) => {
    element.addEventListener('close', () => {
      element.remove();
      resolve();
    });
  });
}

/** Asks a question with one answer; true if it is given. */
export async function confirm(title, text, label) {
  let agreed = false;
  await dialog(title, h('p', {}, text), [{label, primary: true, run: () => { agreed = true; }}]);
  return agreed;
}

/** Shows text to copy, and to save if a file name is given. */
export function showText(title, text, file) {
  const area = h('textarea', {class: 'text-area', rows: 10, readonly: true, 'aria-label': title});
  area.value = text;
  const actions = [{label: 'Copy', primary: true, run: () => copyOf(area, title)}];
  if (file) actions.unshift({label: 'Download', run: () => download(file, text)});
  return dialog(title, area, actions);
}

function copyOf(area, title) {
  if (navigator.clipboard) return copyText(area.value, title);
  area.select();
  return false;
}
