import { expect, test } from 'vitest';
import { saidAndRight } from '../fixtures/said-and-right.js';

// Outlines are never surer than .88.
test.each([
  ['picture', 0.9],
  ['scan', 0.9],
  ['photo', 0.9],
  ['pdf-text', 0.9],
  ['pdf-outlines', 0.8],
] as const)(
  '%s: of what is said with %f and more, nine in ten are right',
  async (kind, least) => {
    const { said, right, unsure } = await saidAndRight(kind, { least, count: 3 });
    expect(said).toBeGreaterThan(40);
    expect(right / said, `${right} of ${said}, ${unsure} with less`).toBeGreaterThanOrEqual(0.9);
  },
  300_000,
);
