import { afterAll, describe, expect, test, vi } from 'vitest';

// The unit that the user chose is kept there.
vi.stubGlobal('localStorage', { getItem: () => 'in', setItem: () => undefined });
const { sentenceInUnits } = await import('../../src/page/common/in-units.js');

describe('reasons in inches', () => {
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  test.each([
    ['states ⌀25.4 instead of ⌀12.7', 'states ⌀1 in instead of ⌀0.5 in'],
    ['states 4 × ⌀25.4 instead of 4 × ⌀12.7', 'states 4 × ⌀1 in instead of 4 × ⌀0.5 in'],
    ['states R25.4 instead of R12.7', 'states R1 in instead of R0.5 in'],
    ['states 25.4 and 12.7 instead of 50.8 and 254 mm', 'states 1 and 0.5 instead of 2 and 10 in'],
    ['states another 25.4 instead of 12.7 mm', 'states another 1 instead of 0.5 in'],
    ['states 25.4 instead of another 12.7 mm', 'states 1 instead of another 0.5 in'],
    ['states 25.4 instead of 12.7 mm (4 ×)', 'states 1 instead of 0.5 in (4 ×)'],
    ['states 25.4 mm for 2 instead of 4 features', 'states 1 in for 2 instead of 4 features'],
    ['states M8x1 instead of M8x1.25', 'states M8x1 instead of M8x1.25'],
    ['states ⌀10.0004 instead of ⌀10.0006', 'states ⌀0.393717 in instead of ⌀0.393724 in'],
    ['states 123.451 instead of 123.452 mm', 'states 4.860276 instead of 4.860315 in'],
    ['4 of the 5 lengths it states differ', '4 of the 5 lengths it states differ'],
    ['its text has “R10” and “pump”', 'its text has “R10” and “pump”'],
  ])('%s', (said, read) => {
    expect(sentenceInUnits(said)).toBe(read);
  });
});
