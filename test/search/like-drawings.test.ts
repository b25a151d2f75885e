import { describe, expect, test } from 'vitest';
import type { DrawnSizes } from '../../dist/content/drawn-size.js';
import { becauseText, type Pmi } from '../../dist/index.js';
import { statedSizes } from '../../dist/pmi/lists/stated-sizes.js';
import { PMI_TYPE } from '../../dist/pmi/pmi.js';
import { likeDrawings } from '../../dist/search/hits/like-drawings.js';
import { SizesRead } from '../../dist/search/hits/sizes-read.js';

/** `80`, `⌀10`, `4 ⌀6`, `R3`, `M8x1.25`, far from each other; `1.5in` is on a drawing in inches. */
function pmiOf(stated: readonly string[]): Pmi {
  const objects = stated.map((text, i) => ({
    id: i + 1,
    typeId: PMI_TYPE.arrows,
    group: 'Measurement' as const,
    box: [100 + 900 * (i % 10), 100 + 900 * Math.floor(i / 10), 60, 20] as const,
    parts: [{ text: text.replace(/^(\d+) /, '$1x ').replace(/in$/, '') }],
  }));
  return { version: 1, pages: [{ page: 1, widthPx: 9999, heightPx: 9999, objects }] };
}

const unitIn = (stated: readonly string[]): string => (stated.some((each) => each.endsWith('in')) ? 'in' : 'mm');
const stating = (stated: readonly string[], unit = unitIn(stated)): DrawnSizes | undefined =>
  statedSizes(pmiOf(stated), [{ name: 'Units', value: unit }]);
const sizes = (...stated: readonly string[]): DrawnSizes => stating(stated)!;
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

  const CASES: readonly (readonly [what: string, asked: string, found: string, said: readonly string[]])[] = [
    ['whole inches are exact', '4in 2in ⌀.5in', '110 60 ⌀13', ['states 110 and 60 instead of 101.6 and 50.8 mm']],
    [
      'fractions are exact',
      '4in 2in ⌀1/2in',
      '110 60 ⌀15',
      ['states 110 and 60 instead of 101.6 and 50.8 mm', 'states ⌀15 instead of ⌀12.7'],
    ],
    ['whole inches that are converted', '4in 2in ⌀1/2in', '101.6 50.8 ⌀12.7', ['states the same 3 sizes']],
    ['converted and rounded', '3.937in 1.969in ⌀.394in', '100 50 ⌀10', ['states the same 3 sizes']],
    ['rounded too far to tell', '4.00in 2.00in ⌀.50in', '102 51 ⌀13', []],
    ['the unit of one was mistaken', '4 2 ⌀.5', '101.6 50.8 ⌀12.7', []],
    ['the unit was mistaken beside a thread', '10 20 M3', '25.4 50.8 M3', []],
    ['centimetres of inches', '100 50 ⌀10', '254 127 ⌀25.4', []],
    ['inches at half scale', '100 50 ⌀10', '1270 635 ⌀127', []],
    ['inches at a quarter', '100 50 ⌀10', '635 317.5 ⌀63.5', []],
    ['centimetres', '10 5 ⌀1', '100 50 ⌀10', []],
    ['feet', '10 5 ⌀1', '120 60 ⌀12', []],
    [
      'the width of one is the length of the other',
      '100 50 20',
      '200 100 20',
      ['states 200 and 100 instead of 100 and 50 mm'],
    ],
    ['the same with two widths', '100 80 50', '100 50 30', ['states 50 and 30 instead of 80 and 50 mm']],
    ['of many in another order nothing is said', '90 80 70 60 50', '80 70 60 50 40', []],
    ['zeros of ordinates are no sizes', '100 0 ⌀10', '120 0 ⌀10', ['states 120 instead of 100 mm']],
    ['zeros of ordinates have no factor', '100 50 0 ⌀10', '125 62.5 0 ⌀12.5', ['all sizes it states are ×1.25 larger']],
    [
      'two numbers of features',
      '100 50 4_⌀6 4_⌀8',
      '100 50 6_⌀6 6_⌀8',
      ['states 6 × ⌀8 instead of 4 × ⌀8', 'states 6 × ⌀6 instead of 4 × ⌀6'],
    ],
    ['numbers of a size that is stated twice', '100 50 4_⌀6 2_⌀6', '100 50 4_⌀6 6_⌀6', []],
    ['equal sizes that were counted together', '100 50 4_⌀10 2_⌀10', '100 50 6_⌀10 2_⌀12', []],
    ['equal sizes that are counted apart', '100 50 ⌀10 ⌀10', '100 50 2_⌀10 ⌀12', []],
    ['numbers in another order', '100 50 6_⌀6 4_⌀6', '100 50 4_⌀6 6_⌀6', ['states the same 4 sizes']],
    [
      'a factor holds for numbers too',
      '100 50 4_⌀6',
      '125 62.5 6_⌀7.5',
      ['states 125 and 62.5 instead of 100 and 50 mm'],
    ],
    [
      'a factor holds for pitches too',
      '100 50 M8x1.25',
      '125 62.5 M10x1.25',
      ['states 125 and 62.5 instead of 100 and 50 mm', 'states M10x1.25 instead of M8x1.25'],
    ],
    ['all digits of large sizes', '1200.4 50 ⌀6', '1200 50 ⌀6', ['states 1200 instead of 1200.4 mm']],
    ['all digits of near sizes', '100 50 ⌀10.0004', '100 50 ⌀10.0006', ['states ⌀10.0006 instead of ⌀10.0004']],
    ['a coarse pitch need not be stated', '100 50 M8', '100 50 M8x1.25', ['states the same 3 sizes']],
    ['a pitch behind a dash', '100 50 M8-1', '100 50 M8x1', ['states the same 3 sizes']],
    ['a fine pitch beside a coarse one', '100 50 M8', '100 50 M8x1', ['states M8x1 instead of M8']],
    ['left-handed threads', '100 50 20 M8', '100 50 20 M8-LH', []],
    ['a screw with its length', '100 50 20 M8x20', '100 50 20 M8x25', ['states 25 instead of another 20 mm']],
    ['a size with a unit of its own', '100 50 20 ⌀10cm', '100 50 20 ⌀12cm', []],
  ];

  test.each(CASES)('%s', (_, asked, found, expected) => {
    const [own, other] = [asked, found].map((each) => sizes(...each.split(' ').map((size) => size.replace('_', ' '))));
    expect(said(own, other)).toEqual(expected);
  });

  test.each(['cm', 'm', 'ft', 'inch', 'another'])('sizes in %s are not held against others', (unit) => {
    expect(stating(['100', '50', '⌀10'], unit)).toBeUndefined();
  });

  test('sizes of equal annotations are read once, and those of too many not at all', async () => {
    const [read, turns]: [string[], number[]] = [[], []];
    const sizesRead = new SizesRead(
      ({ json }) => void read.push(json),
      async () => void turns.push(read.length),
    );
    const long = 'a'.repeat(15_000);
    for (const json of ['a', 'b', 'a', 'c'.repeat(100_001), long, `${long}b`, long])
      await sizesRead.of({ json, attributes: [] });
    expect(read).toEqual(['a', 'b', long, `${long}b`]);
    expect(turns).toEqual([3]);
  });
});
