import { expect, test } from 'vitest';
import { saidAndRight } from '../fixtures/said-and-right.js';

test.each(['dxf-text', 'svg'])('%s: of what is said with .9 and more, nine in ten are right', async (kind) => {
  const { said, right, unsure } = await saidAndRight(kind, { least: 0.9, count: 1 });
  expect(said).toBeGreaterThan(20);
  expect(right / said, `${right} of ${said}, ${unsure} with less`).toBeGreaterThanOrEqual(0.9);
});
