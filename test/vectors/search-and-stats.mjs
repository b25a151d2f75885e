// Searches a library among more vectors than exactLimit, and prints the hits and the statistics: node
// search-and-stats.mjs LIBRARY UID. With --hide-hnswlib as third argument the package hnswlib-node cannot be imported,
// here and in threads.
import { register } from 'node:module';

const [library, uid, hide] = process.argv.slice(2);
const loads = [];
const { port1, port2 } = new MessageChannel();
const marks = new Map();
port1.on('message', (specifier) => (marks.get(specifier) ?? (() => loads.push(specifier)))());
port1.unref();
register(
  `data:text/javascript,${encodeURIComponent(`
    let given;
    export const initialize = (data) => { given = data; };
    export const resolve = (specifier, context, next) => {
      if (specifier.startsWith('mark:')) {
        given.port.postMessage(specifier);
        return { url: 'data:text/javascript,', shortCircuit: true };
      }
      if (specifier !== 'hnswlib-node') return next(specifier, context);
      given.port.postMessage(specifier);
      if (!given.hide) return next(specifier, context);
      throw Object.assign(new Error("Cannot find package 'hnswlib-node'"), { code: 'ERR_MODULE_NOT_FOUND' });
    };`)}`,
  { data: { port: port2, hide: hide === '--hide-hnswlib' }, transferList: [port2] },
);
const { Engine } = await import('../../dist/index.js');

/** How often hnswlib-node was asked for until now: a mark that is imported arrives after all messages before it. */
async function told() {
  const mark = `mark:${marks.size}`;
  const arrived = new Promise((resolve) => marks.set(mark, resolve));
  port1.ref();
  await Promise.all([import(mark), arrived]);
  port1.unref();
  return loads.length;
}
let engine = await Engine.open(library, { workers: 1 });
const company = await engine.company('acme');
const { hits: below } = await company.search({ like: { uid } });
const loadsBelowLimit = await told();
const warningsBelowLimit = (await engine.stats()).warnings;
await engine.close();

engine = await Engine.open(library, { workers: 1, exactLimit: 2 });
const above = await (await engine.company('acme')).search({ like: { uid } });
const until = Date.now() + 60_000;
while ((await told()) === 0 && Date.now() < until);
const { hits } = await (await engine.company('acme')).search({ like: { uid } });
const { warnings } = await engine.stats();
await engine.close();
const plain = (list) => list.map(({ uid: found, score, matchClass }) => ({ uid: found, score, matchClass }));
console.log(
  JSON.stringify({
    below: plain(below),
    first: plain(above.hits),
    hits: plain(hits),
    loads: loads.length,
    loadsBelowLimit,
    warnings,
    warningsBelowLimit,
  }),
);
