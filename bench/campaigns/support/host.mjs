/**
 * Child process of the campaigns `kills` and `soak`: opens a library, serves it over HTTP and carries out what arrives
 * as lines on standard input; each is answered by a line with the same `id`. host.mjs LIBRARY [options as JSON]
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { createHandler, toNodeListener } from '../../../dist/http/index.js';
import { Engine } from '../../../dist/index.js';
import { carryOut, heldBy } from './calls.mjs';

const [folder, options = '{}'] = process.argv.slice(2);
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const engine = await Engine.open(folder, { accounts: { scryptCost: 1_024 }, ...JSON.parse(options) });
const company = await engine.company('acme');
const uids = new Map();
const operator = {
  kind: 'user',
  userUid: '00000000-0000-4000-8000-000000000001',
  email: 'operator@campaign.example',
  companyName: 'acme',
  role: 'operator',
  tokenId: 'campaign',
};
const server = createServer(toNodeListener(createHandler(engine, { authenticate: async () => operator })));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
tell({ url: `http://127.0.0.1:${server.address().port}/api`, pid: process.pid });

const DOES = {
  call: async ({ call }) => {
    const { uid, state, error } = (await carryOut({ engine, company }, call, uids)) ?? {};
    return { uid, state, code: error?.code };
  },
  held: async ({ inputs }) => heldBy({ engine, company }, inputs),
  /** Files that the driver knows, from `held` and from answers over HTTP. */
  know: async ({ files }) => {
    for (const [name, uid] of Object.entries(files)) uids.set(name, uid);
    return {};
  },
  idle: () => engine.idle(),
  verify: () => engine.verify({ repair: false }),
  search: async ({ query }) => {
    const { hits, total } = await company.search(query);
    return { total, hits: hits.map(({ uid, score }) => ({ uid, score })) };
  },
  /** Any method of the company. Bytes are given as the name of a file; of the answer, what a driver needs. */
  company: async ({ method, args }) => {
    const [group, name] = method.includes('.') ? method.split('.') : [undefined, method];
    const owner = group === undefined ? company : company[group];
    const answer = await owner[name](...args.map(withBytes));
    const { uid, state, error, path } = answer ?? {};
    return { uid, state, code: error?.code, message: error && `${path} ${error.message}` };
  },
  memory: async () => process.memoryUsage(),
  close: async () => {
    server.close();
    server.closeAllConnections();
    await engine.close();
    return {};
  },
};

function withBytes(value) {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.keys(value).join() === 'file') return new Uint8Array(readFileSync(value.file));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBytes(one)]));
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, does, ...rest } = JSON.parse(line);
  try {
    tell({ id, answer: await DOES[does](rest) });
    if (does === 'close') process.exit();
  } catch (cause) {
    const coded = cause?.name === 'EngineError';
    tell({ id, refused: coded ? cause.code : 'uncoded', message: String(coded ? cause.message : cause?.stack) });
  }
});
