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
  } as unknown as Link;
  return { link, told };
}

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
