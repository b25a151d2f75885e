import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { encodeWeights, hashOf, weightOf } from '../../dist/words/term-weights.js';

describe('weights of terms', () => {
  test('property: are read as they were written, up to 255; once where nothing is stored', () => {
    const frequencies = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 400 }), {
      maxKeys: 60,
    });
    fc.assert(
      fc.property(frequencies, (given) => {
        const terms = Object.entries(given);
        fc.pre(new Set(terms.map(([term]) => hashOf(term))).size === terms.length);
        const weights = encodeWeights(new Map(terms));
        for (const [term, frequency] of terms) expect(weightOf(weights, hashOf(term))).toBe(Math.min(255, frequency));
        expect(weights.length).toBe(4 * terms.filter(([, frequency]) => frequency > 1).length);
      }),
    );
  });

  test('of very long texts the most frequent terms are kept', () => {
    const weights = encodeWeights(new Map(Array.from({ length: 50_000 }, (_, i) => [`word${i}`, i < 10 ? 100 : 2])));
    expect(weights.length).toBe(16_000);
    for (let i = 0; i < 10; i++) expect(weightOf(weights, hashOf(`word${i}`))).toBe(100);
  });

  test('hashes of terms differ', () => {
    const hashes = new Set(Array.from({ length: 1_000 }, (_, i) => hashOf(`term${i}`)));
    expect(hashes.size).toBe(1_000);
    for (const hash of hashes) expect(hash).toBeLessThan(2 ** 24);
  });
});
