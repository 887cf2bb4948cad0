// Speed: the engine is as fast while a page analyses as it is by UCI, in the same run.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {onServer, scenario} from '../lib/browser.js';
import {ACCRUE, processorTime, until} from '../lib/server.js';

const MIN_RATIO = 0.95;
const ROUNDS = 3;
/** The machine may be busy with something else: a figure counts if one series of so many shows it. */
const SERIES = 3;
/** The transposition table of an analysis; UCI gets the same. */
const HASH_MIB = 32;
const NODES = 2_000_000;

const here = onServer(ACCRUE);

/** Nodes for each millisecond of processor time of a search by UCI. */
async function byUci() {
  const child = spawn(ACCRUE(), [], {stdio: ['pipe', 'pipe', 'ignore']});
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => { text += part; });
  const seen = (what) => until(what, () => text.includes(what), 60_000, 5);
  child.stdin.write(`setoption name Hash value ${HASH_MIB}\nposition startpos\nisready\n`);
  await seen('readyok');
  const begun = processorTime(child.pid);
  child.stdin.write(`go nodes ${NODES}\n`);
  await seen('bestmove');
  const spent = processorTime(child.pid) - begun;
  child.stdin.end('quit\n');
  return NODES / spent;
}

/** The same of the server, while the Analyse page shows what it finds. */
async function byPage(page, open) {
  let latest = null;
  const listen = (socket) => socket.on('framereceived', ({payload}) => {
    const message = JSON.parse(payload);
    if (message.type === 'analysis') latest = message;
  });
  page.once('websocket', listen);
  await open('#/analyse/chess');
  await page.locator('.an-switch').click();
  await until('the analysis', () => latest?.running && latest.nodes > 100_000, 30_000, 5);
  const [from, begun] = [latest.nodes, processorTime(here().server.pid)];
  await until('the nodes', () => latest.nodes - from >= NODES, 60_000, 5);
  const rate = (latest.nodes - from) / (processorTime(here().server.pid) - begun);
  await page.locator('.an-switch').click();
  await until('the end of the search', async () =>
    (await here().server.get('/api/status')).busy_threads === 0);
  return rate;
}

scenario('an analysing page costs the engine less than a twentieth', here, async ({page, open}) => {
  let median = 0;
  for (let series = 0; series < SERIES && median < MIN_RATIO; series += 1) {
    const ratios = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const uci = await byUci();
      ratios.push(await byPage(page, open) / uci);
    }
    ratios.sort((a, b) => a - b);
    median = ratios[Math.floor(ROUNDS / 2)];
    console.log(`speed while a page analyses, by UCI = 1: ${median.toFixed(3)} `
      + `(${ratios.map((one) => one.toFixed(3)).join(', ')})`);
  }
  assert.ok(median >= MIN_RATIO, `${median.toFixed(3)}, expected at least ${MIN_RATIO}`);
});
