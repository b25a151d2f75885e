import { expect, test } from 'vitest';
import { EngineError } from '../../dist/index.js';
import type { Link } from '../../dist/store/shared/link.js';
import { Unowned } from '../../dist/store/shared/unowned.js';

/** A connection to a database that is away until `isUp`, with what was noted and how often it was asked. */
function fakeLink() {
  const told = { isUp: false, asked: 0, noted: [] as string[][] };
  const note = async (values: unknown[] = []): Promise<never[]> => {
    told.asked++;
    if (!told.isUp) throw new EngineError('STORAGE_FAILED', 'away', { details: { outage: true } });
    told.noted.push(values[0] as string[]);
    return [];
  };
  const link = {
    inTurn: (make: () => { values?: unknown[] }) => Promise.resolve().then(() => note(make().values)),
    query: (text: string, values?: unknown[]) => (text.startsWith('INSERT') ? note(values) : Promise.resolve([])),
  } as unknown as Link;
  return { link, told };
}

const BYTES = { refers: () => false, remove: () => Promise.resolve() };

test('a clean-up of many hashes asks a database that is away once, and the next look notes them all', async () => {
  const { link, told } = fakeLink();
  const unowned = new Unowned({ puts: link, outageMs: 60_000, isStandby: () => false });
  for (const hash of ['c', 'a', 'b']) await unowned.noteSoon(hash);
  expect(told.asked).toBe(1);
  await expect(unowned.look(link, BYTES)).rejects.toMatchObject({ details: { outage: true } });
  told.isUp = true;
  await unowned.look(link, BYTES);
  await unowned.look(link, BYTES);
  expect(told.noted).toEqual([['a', 'b', 'c']]);
  await unowned.noteSoon('d');
  expect(told.noted.at(-1)).toEqual(['d']);
});

test('a put waits for the database, but not once the library closes', async () => {
  const { link, told } = fakeLink();
  const unowned = new Unowned({ puts: link, outageMs: 60_000, isStandby: () => false });
  const noted = unowned.note('a');
  setTimeout(() => (told.isUp = true), 50);
  await noted;
  expect(told).toMatchObject({ noted: [['a']], asked: 2 });
  told.isUp = false;
  const waiting = unowned.note('b');
  unowned.end();
  await expect(waiting).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
});
