import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Company, Engine } from '../../dist/index.js';
import { codeOf, libraries, uidOf } from './library.js';

const { fresh, open } = libraries();
/** Each passes what is read of one file, together they pass what is read for one result. */
const LONG = 12;
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await open(fresh());
  company = await engine.company('acme');
  const filler = 'plate washer bracket '.repeat(20_000);
  await Promise.all(
    Array.from({ length: LONG }, (_, i) =>
      company.put(`flange ${i}.txt`, Buffer.from(`flange ${filler}`), { uid: uidOf(i), attributes: ['Part=flange'] }),
    ),
  );
});
afterAll(() => engine.close());

test('of long texts, the first hits come with all highlights and later ones with that of their name', async () => {
  const { hits } = await company.search({ text: 'flange' });
  expect(hits).toHaveLength(LONG);
  const fields = hits.map(({ textHighlights }) => textHighlights.map(({ field }) => field).join());
  expect(fields.slice(0, 9)).toEqual(Array(9).fill('text,attribute,name'));
  expect(fields.slice(10)).toEqual(['name', 'name']);
});

test('others go first between hits of long texts, and a signal ends them', async () => {
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await company.search({ text: 'flange' });
  counting = false;
  expect(turns).toBeGreaterThanOrEqual(9);

  const abort = new AbortController();
  const search = company.search({ text: 'flange', signal: abort.signal });
  setImmediate(() => abort.abort());
  expect(await codeOf(search)).toBe('ABORTED');
});

test('without highlights the hits are the same', async () => {
  const plain = await company.search({ text: 'flange', highlights: false });
  const { hits, total } = await company.search({ text: 'flange' });
  expect(plain.total).toBe(total);
  // Words are reasons only where they are highlighted.
  expect(plain.hits).toEqual(hits.map((hit) => ({ ...hit, textHighlights: [], because: [] })));
});
