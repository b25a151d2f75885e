import { describe, expect, test } from 'vitest';
import { comparePmi } from '../../dist/index.js';

type Side = Parameters<typeof comparePmi>[0];
type Objects = Side['pmi']['pages'][number]['objects'];
const MM = [{ name: 'Units', value: 'mm' }];

const side = (objects: Objects, widthPx: number, holes?: Side['holes']): Side => ({
  pmi: { version: 1, pages: [{ page: 1, widthPx, heightPx: widthPx, objects }], leftOut: [], attributes: [] } as never,
  attributes: MM,
  ...(holes && { holes }),
});

/** Lines of one callout below each other. */
const drawing = (...texts: readonly (readonly [typeId: number, text: string, at?: number])[]): Side =>
  side(
    texts.map(([typeId, text, at = 0], i) => ({
      typeId: typeId as 3,
      id: i + 1,
      group: 'Measurement' as const,
      box: [100 + at, 100 + 22 * i, 120, 20] as const,
      parts: [{ text }],
      confidence: 1,
    })),
    1000,
  );

/** A model that states the diameter of its holes alone. */
const model = (holes: Side['holes']): Side =>
  side([{ typeId: 3, id: 1, group: 'Measurement', box: [0, 0, 0, 0], parts: [{ text: '4x ⌀6.6' }] }], 0, holes);

const HOLE = { count: 4, diameterMm: 6.6, depthMm: 20, isThrough: true } as const;
const BORED = { ...HOLE, sunk: 'counterbored', sunkDiameterMm: 11, sunkDepthMm: 6.4 } as const;
const statusesOf = (first: Side, second: Side): string[] =>
  comparePmi(first, second)
    .rows.map(({ status, first: a, second: b, differences }) =>
      [status, a?.reading ?? '-', b?.reading ?? '-', ...differences.map((each) => `${each.what} ${each.second}`)].join(
        ' | ',
      ),
    )
    .sort();

describe('mouths of holes that a model does not state', () => {
  const callout = drawing([3, '4x ⌀6.6 THRU'], [48, '⌴⌀11'], [41, '↧6.4']);

  test('agree with its faces, whichever file comes first', () => {
    const same = [
      'agrees | 4x ⌀6.6 THRU | 4x ⌀6.6',
      'agrees | ↧6.4 | ↧6.4 mm, measured on 4 of its holes',
      'agrees | ⌴⌀11 | ⌴⌀11 mm, measured on 4 of its holes',
    ];
    expect(statusesOf(callout, model([BORED]))).toEqual(same);
    const turned = statusesOf(model([BORED]), callout);
    expect(turned).toContain('agrees | ⌴⌀11 mm, measured on 4 of its holes | ⌴⌀11');
    expect(turned.filter((row) => row.startsWith('agrees'))).toHaveLength(3);
  });

  test('contradict another diameter and another depth', () => {
    expect(statusesOf(callout, model([{ ...BORED, sunkDiameterMm: 12, sunkDepthMm: 6 }]))).toEqual([
      'agrees | 4x ⌀6.6 THRU | 4x ⌀6.6',
      'contradicts | ↧6.4 | ↧6 mm, measured on 4 of its holes | nominal 6 mm',
      'contradicts | ⌴⌀11 | ⌴⌀12 mm, measured on 4 of its holes | nominal 12 mm',
    ]);
  });

  test('stay alone where the model has no such hole, another mouth, or several that may be meant', () => {
    for (const holes of [
      [],
      [HOLE],
      [{ ...BORED, diameterMm: 8 }],
      [{ ...BORED, sunk: 'countersunk' as const }],
      [
        { ...BORED, sunkDiameterMm: 12, sunkDepthMm: 5 },
        { ...BORED, sunkDiameterMm: 13, sunkDepthMm: 6 },
      ],
    ])
      expect(statusesOf(callout, model(holes))).toContain('first | ⌴⌀11 | -');
  });

  test('are found among holes of several mouths', () => {
    const other = { ...BORED, count: 2, sunkDiameterMm: 15, sunkDepthMm: 3 };
    expect(statusesOf(callout, model([other, BORED]))).toContain('agrees | ⌴⌀11 | ⌴⌀11 mm, measured on 4 of its holes');
  });

  test('countersinks and depths of blind holes agree, too', () => {
    const sunk = drawing([3, '4x ⌀6.6'], [48, '⌵⌀13'], [41, '↧18']);
    const blind = { count: 4, diameterMm: 6.6, depthMm: 18, isThrough: false } as const;
    const rows = statusesOf(sunk, model([{ ...blind, sunk: 'countersunk', sunkDiameterMm: 13, sunkDepthMm: 3.2 }]));
    expect(rows.filter((row) => row.startsWith('agrees'))).toHaveLength(3);
  });

  test('a callout elsewhere on the sheet is another hole', () => {
    const apart = drawing([3, '4x ⌀6.6'], [48, '⌴⌀11', 700]);
    expect(statusesOf(apart, model([BORED]))).toContain('first | ⌴⌀11 | -');
  });
});
