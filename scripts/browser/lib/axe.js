// axe-core: what it calls serious or critical on a page.

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The faults of the page as it is now, a sentence each. */
export async function accessFaults(page) {
  // The debugger's evaluation is not subject to the content security policy of the page.
  await page.evaluate(SOURCE);
  return page.evaluate(async () => {
    const {violations} = await window.axe.run(document, {resultTypes: ['violations']});
    return violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
      .map(({id, help, nodes}) => `${id}: ${help}: ${nodes.slice(0, 4)
        .map(({html, any}) => `${html.slice(0, 160)} (${any[0]?.message ?? ''})`).join(' | ')}`);
  });
}
