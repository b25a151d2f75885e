import { describe, expect, test } from 'vitest';
import type { DrawnSize, DrawnSizes } from '../../dist/content/drawn-size.js';
import { becauseText } from '../../dist/index.js';
import { likeDrawings } from '../../dist/search/hits/like-drawings.js';

/** `80`, `⌀10`, `4 ⌀6`, `R3`, `M8x1.25`; inches as `1.5in`. */
function sizeOf(stated: string): DrawnSize {
  const [, count = '1', sign = '', number, rest = ''] = /^(?:(\d+) )?([⌀RM]?)([\d.]+)(.*)$/.exec(stated)!;
  const kind = ({ '⌀': 'diameter', R: 'radius', M: 'thread' } as const)[sign] ?? 'length';
  const unit = rest === 'in' ? 25.4 : 1;
  return {
    kind,
    sizeMm: unit * Number(number),
    unit: rest === 'in' ? 'in' : 'mm',
    slackMm: (unit * 0.5) / 10 ** (number.split('.')[1]?.length ?? 0),
    count: Number(count),
    ...(kind === 'thread' && { thread: `M${number}${rest}` }),
  };
}

const sizes = (...stated: readonly string[]): DrawnSizes => ({ sizes: stated.map(sizeOf), unsure: [], unread: 0 });
const said = (asked: DrawnSizes, found: DrawnSizes): string[] => likeDrawings(asked, found).map(becauseText);

describe('how two drawings differ by the sizes that they state', () => {
  test('one size of a kind', () => {
    const asked = sizes('100', '50', '⌀10', 'R3', 'M8x1.25');
    expect(said(asked, sizes('100', '50', '⌀12', 'R3', 'M8x1.25'))).toEqual(['states ⌀12 instead of ⌀10']);
    expect(said(asked, sizes('80', '50', '⌀10', 'R3', 'M8x1.25'))).toEqual(['states 80 instead of 100 mm']);
    expect(said(asked, sizes('100', '50', '⌀10', 'R5', 'M8x1.25'))).toEqual(['states R5 instead of R3']);
    expect(said(asked, sizes('100', '50', '⌀10', 'R3', 'M8x1'))).toEqual(['states M8x1 instead of M8x1.25']);
    expect(said(asked, sizes('80', '50', '⌀12', 'R3', 'M10x1.5'))).toEqual([
      'states 80 instead of 100 mm',
      'states ⌀12 instead of ⌀10',
      'states M10x1.5 instead of M8x1.25',
    ]);
  });

  test('several of a kind are told together, because which is which is not known', () => {
    const asked = sizes('100', '70', '20', '10', '5');
    expect(said(asked, sizes('120', '60', '20', '10', '5'))).toEqual(['states 120 and 60 instead of 100 and 70 mm']);
    expect(said(asked, sizes('120', '60', '21', '11', '5'))).toEqual(['4 of the 5 lengths it states differ']);
  });

  test('numbers of features', () => {
    expect(said(sizes('50', '20', '4 ⌀6'), sizes('50', '20', '6 ⌀6'))).toEqual(['states 6 × ⌀6 instead of 4 × ⌀6']);
    expect(said(sizes('50', '20', '4 ⌀6'), sizes('50', '20', '4 ⌀5'))).toEqual(['states 4 × ⌀5 instead of 4 × ⌀6']);
    expect(said(sizes('4 50', '20', '⌀6'), sizes('4 60', '20', '⌀6'))).toEqual(['states 60 instead of 50 mm (4 ×)']);
    expect(said(sizes('4 50', '20', '⌀6'), sizes('2 50', '20', '⌀6'))).toEqual([
      'states 50 mm for 2 instead of 4 features',
    ]);
    // Another number of another size may be another feature.
    expect(said(sizes('50', '20', '4 ⌀6'), sizes('50', '20', '3 ⌀5'))).toEqual([]);
  });

  test('sizes that are stated twice', () => {
    const asked = sizes('50', '⌀10', '⌀10');
    expect(said(asked, sizes('50', '⌀10', '⌀12'))).toEqual(['states ⌀12 instead of another ⌀10']);
    expect(said(sizes('50', '⌀10', '⌀12'), asked)).toEqual(['states another ⌀10 instead of ⌀12']);
    expect(said(asked, sizes('50', '⌀12', '⌀12'))).toEqual(['states ⌀12 and ⌀12 instead of ⌀10 and ⌀10']);
  });

  test('all sizes by one factor', () => {
    expect(said(sizes('100', '50', '⌀10'), sizes('125', '62.5', '⌀12.5'))).toEqual([
      'all sizes it states are ×1.25 larger',
    ]);
    expect(said(sizes('100', '50', '⌀10'), sizes('50', '25', '⌀5'))).toEqual(['all sizes it states are ×2 smaller']);
  });

  test('the same sizes', () => {
    const asked = sizes('100', '50', '⌀10', '4 ⌀6');
    expect(said(asked, asked)).toEqual(['states the same 4 sizes']);
    expect(said(sizes('100', '50'), sizes('100', '50'))).toEqual([]);
  });

  test('inches beside millimetres', () => {
    expect(said(sizes('4.00in', '2.00in', '⌀.50in'), sizes('101.6', '50.8', '⌀12.7'))).toEqual([
      'states the same 3 sizes',
    ]);
    expect(said(sizes('4.00in', '2.00in', '⌀.50in'), sizes('101.6', '50.8', '⌀14'))).toEqual([
      'states ⌀14 instead of ⌀12.7',
    ]);
    // Of one unit every digit counts.
    expect(said(sizes('100', '50', '⌀10'), sizes('100', '50', '⌀10.5'))).toEqual(['states ⌀10.5 instead of ⌀10']);
    // A unit that was mistaken is no other part.
    expect(said(sizes('4', '2', '⌀.5'), sizes('101.6', '50.8', '⌀12.7'))).toEqual([]);
  });

  test('nothing where it cannot be told what belongs to what', () => {
    const asked = sizes('100', '50', '⌀10');
    expect(said(asked, sizes('100', '50', '⌀10', '⌀12'))).toEqual([]);
    expect(said(asked, sizes('100', '50', '7', '⌀12'))).toEqual([]);
    expect(said(asked, sizes('100', '50', '⌀90'))).toEqual([]);
    expect(said(asked, { ...sizes('100', '50', '⌀12'), unsure: ['diameter'] })).toEqual([]);
    expect(said(asked, { ...sizes('100', '50', '⌀12'), unread: 1 })).toEqual([]);
    expect(said(sizes('100', '⌀10'), sizes('9', '8', '7', '6', '⌀12'))).toEqual([]);
    expect(said(sizes(), sizes())).toEqual([]);
  });
});
