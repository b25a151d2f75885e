import { describe, expect, test } from 'vitest';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { prism } from '../fixtures/shapes.js';
import { answer, fill, libraries, uidOf } from './library.js';
import { COPIES, files } from './mixed-files.js';

const { fresh, open } = libraries();

describe('the same files', () => {
  const some = files.filter((_, i) => i < 60 || i >= COPIES[0]);
  const queries = [0, 20, 62].map((i) => ({ like: { uid: uidOf(i) }, limit: 100 }));

  test('give the same answers after opening again and when they came in another order', async () => {
    const first = await open(fresh());
    const folder = fresh();
    let second = await open(folder, { workers: 1 });
    try {
      const forwards = await first.company('acme');
      await fill(forwards, some);
      await fill(await second.company('acme'), some, 'backwards');
      await second.close();
      second = await open(folder);
      const backwards = await second.company('acme');
      for (const query of queries) {
        const expected = await answer(forwards, query);
        expect(await answer(forwards, query)).toEqual(expected);
        expect(await answer(backwards, query)).toEqual(expected);
      }
    } finally {
      await first.close();
      await second.close();
    }
  });

  test('even where hundreds are equally near', async () => {
    const copies = Array.from(
      { length: 300 },
      (_, i) =>
        [
          `copy/${i}.stl`,
          writeStlBinary(
            prism(
              [
                [0, 0],
                [30, 0],
                [12, 9],
              ],
              14,
            ),
          ),
        ] as const,
    );
    const second = await open(fresh());
    try {
      const acme = await second.company('acme');
      await fill(acme, [...copies, ...some.slice(0, 5)], 'backwards');
      const { hits } = await acme.search({ like: { uid: uidOf(150) }, limit: 400 });
      expect(hits.slice(0, 300).map(({ uid, score }) => `${uid} ${score}`)).toEqual(
        copies.map((_, i) => `${uidOf(i)} 0`),
      );
      expect((await acme.search({ like: { uid: uidOf(150) }, limit: 10 })).hits).toEqual(hits.slice(0, 10));
    } finally {
      await second.close();
    }
  });
});
