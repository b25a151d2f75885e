import { expect, test } from 'vitest';
import { seeded } from '../fixtures/random.js';
import { openLate, turns, type Between } from '../store/late-doors.js';

/**
 * The tests of searches, duplicates and components once more, over a catalogue whose doors answer up to three turns of
 * the event loop later than they are asked, and in another order: the results are the same, so nothing counts on an
 * answer in the same turn.
 */
const asked = new Set<string>();
const wait = turns(3, seeded(7));
const between: Between = (door, method) => {
  asked.add(door).add(`${door} ${method}`);
  return wait(door, method);
};
openLate(between);

await import('./company-search.test.js');
await import('../engine/duplicates.slow.test.js');
await import('../engine/components.long.test.js');

test('all doors that a search needs were asked late', () => {
  for (const door of [
    'searchable',
    'shapes',
    'views',
    'attributes',
    'changes',
    'components',
    'duplicates',
    'files',
    'jobs',
  ])
    expect(asked).toContain(door);
  for (const call of ['files hits', 'shapes fine', 'shapes descriptors', 'attributes filesWith', 'store put'])
    expect(asked).toContain(call);
});
