import { describe, expect, test } from 'vitest';
import { type Found, compared } from '../../bench/support/pmi/score.mjs';
import { type Written, wantedOf } from '../../bench/support/pmi/written.mjs';

/** An object as the product gives it: its texts, the tolerance of the first, and its type. */
function object(texts: string[], tolerance: string[] = [], typeId = 1, box = [0, 0, 10, 10]): Found {
  const parts = texts.map((text, i) => (i === 0 && tolerance.length > 0 ? { text, tolerance } : { text }));
  return { object: { parts, typeId, box } };
}

function item(text: string, tol?: string | string[], group = 'dimension'): Written {
  return wantedOf({ text, tol, group });
}

/** What a comparison says of one item and one object. */
function verdict(wanted: Written, found: Found): string {
  const { pairs, missed } = compared([wanted], [found]);
  if (missed.length > 0) return 'missed';
  return pairs[0].item.tolerance === pairs[0].each.tolerance ? 'right' : 'tolerance wrong';
}

describe('the comparison of bench pmi', () => {
  // [as the truth says it, its tolerance where the truth says it apart, texts that were read, tolerance, verdict]
  test.each<[string, string | string[] | undefined, string[], string[], string]>([
    ['4xØ5.8-5.85', undefined, ['4x⌀5.8', '5.85'], [], 'right'],
    ['4xØ5.8-5.85', undefined, ['4x⌀5.8'], ['-5.85'], 'missed'],
    ['R11.30/11.20', undefined, ['R11.30', '11.20'], [], 'right'],
    ['R11.30/11.20', undefined, ['R11.30'], [], 'missed'],
    ['⌀20 H7/k6', undefined, ['⌀20'], ['H7/k6'], 'right'],
    ['⌀20 H7/k6', undefined, ['⌀20'], ['k6'], 'tolerance wrong'],
    ['⌀20 H7/k6', undefined, ['⌀20'], [], 'tolerance wrong'],
    ['⌀20 H7', undefined, ['⌀20'], ['h7'], 'tolerance wrong'],
    ['12,5 +0,1 0', undefined, ['12.5'], ['+0.1', '0'], 'right'],
    ['12,5 +0,1 0', undefined, ['12.5'], ['+0.10'], 'tolerance wrong'],
    ['25 ±0.1', undefined, ['25'], ['+0.1', '-0.1'], 'tolerance wrong'],
    ['6.50', ['+0.02', '0.00'], ['6.50'], ['+0.02', '0.00'], 'right'],
    ['2 X R10', undefined, ['2x R10'], [], 'right'],
    ['R10', undefined, ['10'], [], 'missed'],
    ['x 20mm', undefined, ['↧20mm'], [], 'missed'],
    [`4'-0 1/4"`, undefined, [`4'-0 1/4"`], [], 'right'],
    [`4'-0 1/4"`, undefined, [`4'-01/4"`], [], 'missed'],
    ['1 1/2', undefined, ['11/2'], [], 'missed'],
    ['3 / 8', undefined, ['3/8'], [], 'right'],
  ])('%s %j read as %j %j: %s', (text, tol, texts, tolerance, said) => {
    expect(verdict(item(text, tol), object(texts, tolerance))).toBe(said);
  });

  test('letters in circles and datums of a frame count; its bars and spaces do not', () => {
    const frame = item('⌖ | ⌀0.1 (M) | A | B', undefined, 'gdt');
    const read = (text: string) => object([text], [], 5);
    expect(verdict(frame, read('⌖|⌀0.1Ⓜ|A|B'))).toBe('right');
    expect(verdict(frame, read('⌖|⌀0.1Ⓟ|A|B'))).toBe('missed');
    expect(verdict(frame, read('⌖|⌀0.1Ⓜ|A'))).toBe('missed');
  });

  test('of two equal sizes each is found once, and what is left was invented', () => {
    const { pairs, missed, invented } = compared([item('5'), item('5')], [object(['5']), object(['7'])]);
    expect([pairs.length, missed.length, invented.length]).toEqual([1, 1, 1]);
  });

  test('an item with a place is found at its place only, where that is asked', () => {
    const wanted = { ...item('5'), box: [100, 100, 10, 10] };
    expect(compared([wanted], [object(['5'])], { isPlaced: true }).missed).toHaveLength(1);
    expect(compared([wanted], [object(['5'])]).missed).toHaveLength(0);
  });
});
