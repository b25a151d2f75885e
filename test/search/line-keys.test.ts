import { expect, test } from 'vitest';
import { KEY_NUMBERS, keyBehind, keyNumbers } from '../../dist/descriptors/line-key.js';
import { LAYOUT_BYTES } from '../../dist/descriptors/layouts.js';
import { LineKeys } from '../../dist/search/views/line-keys.js';
import { seeded } from '../fixtures/random.js';

const random = seeded(5);
const anyKey = (): Float32Array => Float32Array.from({ length: KEY_NUMBERS }, () => 1 + 10 * random());
const APART = 1.5e-4;

/** The test's own comparison: any half of one with any half of the other, as it is or turned by a quarter. */
function isLike(a: Float32Array, b: Float32Array): boolean {
  return [0, 8].some((i) =>
    [0, 8].some((j) =>
      [0, 4].some((turned) => {
        const own = [...a.slice(i, i + 8)];
        const most = APART * own.reduce((sum, one) => sum + one, 0);
        // Of the query the directions are turned.
        return [0, 1, 2, 3, 4, 5, 6, 7].every((k) => Math.abs(own[(k + turned) % 8] - b[j + k]) <= most);
      }),
    ),
  );
}

test('keys that come, change and go are found as a plain loop finds them', () => {
  const keys = new LineKeys();
  const truth = new Map<number, Float32Array>();
  const base = anyKey();
  const turned = Float32Array.from({ length: KEY_NUMBERS }, (_, i) => base[(i & 8) + ((i + 4) % 8)]);
  const swapped = Float32Array.from({ length: KEY_NUMBERS }, (_, i) => base[(i + 8) % 16]);
  const near = base.map((value) => value * (1 + 2e-5)),
    far = base.map((value, i) => value + (i % 8 === 3 ? 0.1 : 0));
  const meant = [base, turned, swapped, near, far];
  for (let step = 0; step < 3_000; step++) {
    const fileId = 1 + Math.floor(400 * random());
    if (random() < 0.3) {
      truth.delete(fileId);
      keys.remove(fileId);
    } else {
      const key = random() < 0.2 ? meant[Math.floor(meant.length * random())] : anyKey();
      truth.set(fileId, key);
      keys.add(fileId, key);
    }
    if (step % 100 !== 0) continue;
    for (const asked of [base, far, anyKey()]) {
      const expected = [...truth].filter(([, key]) => isLike(asked, key)).map(([fileId]) => fileId);
      expect(keys.like(asked, APART)).toEqual(expected.sort((a, b) => a - b));
    }
  }
  expect(keys.like(base, APART).length).toBeGreaterThan(20);
  expect(isLike(base, far)).toBe(false);
});

test('a key stands behind layouts, or alone; other bytes are none', () => {
  const bytes = new Uint8Array(Float32Array.from(anyKey()).buffer);
  const layouts = new Uint8Array(2 * LAYOUT_BYTES).fill(7);
  for (const before of [layouts, new Uint8Array()])
    expect(keyBehind(Uint8Array.from([...before, ...bytes]))).toEqual(keyNumbers(bytes));
  expect(keyBehind(layouts)).toBeUndefined();
  expect(keyNumbers(bytes.subarray(1))).toBeUndefined();
  expect(keyNumbers(new Uint8Array(64).fill(255))).toBeUndefined();
});
