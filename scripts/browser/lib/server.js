// Servers and other programs that the tests start, and end.

import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const START_MS = 20_000;

/** The program that an environment variable names. */
export function program(variable) {
  const path = process.env[variable];
  if (!path) {
    throw new Error(`${variable} is not set; expected the path of the program, `
      + 'such as target/release/accrue');
  }
  return path;
}

export const ACCRUE = () => program('ACCRUE');
export const BREAKTHROUGH = () => program('BREAKTHROUGH');

/** A folder of its own, removed by `remove`. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'accrue-browser-'));
  return {path, remove: () => rmSync(path, {recursive: true, force: true, maxRetries: 5})};
}

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Waits until `look` gives something; the error says what was waited for. */
export async function until(what, look, ms = 10_000, every = 50) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${ms / 1000} s in vain for ${what}`);
    await sleep(every);
  }
}

/** Runs a program in the background. {child, output(), ended, stop()}. */
export function run(path, args) {
  const child = spawn(path, args, {stdio: ['ignore', 'pipe', 'pipe']});
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => { text += part; });
  }
  let code = null;
  const ended = new Promise((resolve) => {
    child.on('error', (fault) => {
      text += fault.message;
      code = -1;
      resolve(code);
    });
    child.on('exit', (status, signal) => {
      code = status ?? signal;
      resolve(code);
    });
  });
  const stop = async () => {
    if (code !== null) return;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
  };
  return {child, ended, stop, output: () => text, code: () => code};
}

/** Starts `accrue serve` on a free port. {url, root, pid, post, stop()}. */
export async function serve(path, {threads = 2} = {}) {
  const root = folder();
  const job = run(path, ['serve', '--port', '0', '--root', root.path, '--threads', threads]);
  const address = await until('the address of the server', () => {
    if (job.code() !== null) throw new Error(`${path} serve ended: ${job.output()}`);
    return /at (http:\/\/127\.0\.0\.1:\d+)\//.exec(job.output());
  }, START_MS).catch((fault) => {
    job.child.kill('SIGKILL');
    root.remove();
    throw fault;
  });
  const url = address[1];
  const ask = async (place, options) => {
    const response = await fetch(url + place, options);
    const value = await response.json();
    if (!response.ok) throw new Error(`${place}: ${value.error?.message ?? response.status}`);
    return value;
  };
  return {
    url, root: root.path, pid: job.child.pid,
    get: (place) => ask(place),
    post: (place, body) => ask(place, {
      method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body),
    }),
    async stop() {
      await job.stop();
      root.remove();
    },
  };
}

/** The processor time of a process and its threads so far, in milliseconds. */
export function processorTime(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Hundredths of a second: user and system.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
