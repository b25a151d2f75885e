import { describe, expect, test } from 'vitest';
import { comparePmi, PMI_TYPE, pmiComparisonCsv, type PmiObject } from '../../dist/index.js';
import type { ComparedSide } from '../../dist/pmi/lists/compared-items.js';

const SIDE = 3000;

/** A size at a place, pixels of a page of 3000. */
function at(x: number, y: number, text: string, ...tolerance: string[]): Partial<PmiObject> {
  return { box: [x, y, 90, 24], parts: [tolerance.length === 0 ? { text } : { text, tolerance }] };
}
const frameAt = (x: number, y: number, text: string): Partial<PmiObject> => ({
  ...at(x, y, text),
  typeId: PMI_TYPE.controlFrame,
  group: 'GD&T',
});
/** The same in a model: faces instead of places. */
const onFaces = (object: Partial<PmiObject>, ...ids: number[]): Partial<PmiObject> => ({
  ...object,
  box: [0, 0, 0, 0],
  faces: ids.map((id) => ({ id, surface: 'cylinder' as const })),
});

function side(objects: readonly Partial<PmiObject>[], isModel = false): ComparedSide {
  const all = objects.map((object, i) => ({
    typeId: PMI_TYPE.diameter,
    id: i + 1,
    group: 'Measurement',
    box: [0, 0, 0, 0],
    parts: [],
    ...object,
  })) as PmiObject[];
  const px = isModel ? 0 : SIDE;
  return {
    pmi: { version: 1, pages: [{ page: 1, widthPx: px, heightPx: px, objects: all }] },
    attributes: [{ name: 'Units', value: 'mm' }],
  };
}

/** Status and ids of each row, and how many it may be as well. */
function told(first: ComparedSide, second: ComparedSide): string[] {
  return comparePmi(first, second).rows.map(({ status, first: a, second: b, oneOf }) =>
    [status, a?.id ?? '-', b?.id ?? '-', ...(oneOf === undefined ? [] : [`of ${oneOf}`])].join(' '),
  );
}

describe('of two equal holes, the one that changed is told', () => {
  const before = side([at(300, 500, '⌀10', 'H7'), at(1200, 500, '⌀10', 'H7')]);

  test('by its place on the page, whichever of them it is', () => {
    const first = side([at(300, 500, '⌀10', 'H8'), at(1200, 500, '⌀10', 'H7')]);
    expect(told(before, first)).toEqual(['contradicts 1 1', 'agrees 2 2']);
    const second = side([at(300, 500, '⌀10', 'H7'), at(1200, 500, '⌀10', 'H8')]);
    expect(told(before, second)).toEqual(['contradicts 2 2', 'agrees 1 1']);
  });

  test('in whatever order the file has them', () => {
    const turned = side([at(1200, 500, '⌀10', 'H7'), at(300, 500, '⌀10', 'H8')]);
    expect(told(before, turned)).toEqual(['contradicts 1 2', 'agrees 2 1']);
  });

  test('where they swapped their tolerances, both', () => {
    const fits = side([at(300, 500, '⌀10', 'H7'), at(1200, 500, '⌀10', 'H8')]);
    const swapped = side([at(300, 500, '⌀10', 'H8'), at(1200, 500, '⌀10', 'H7')]);
    expect(told(fits, swapped)).toEqual(['contradicts 1 1', 'contradicts 2 2']);
  });

  test('where one is gone, that one', () => {
    expect(told(before, side([at(1200, 500, '⌀10', 'H7')]))).toEqual(['first 1 -', 'agrees 2 1']);
  });

  test('of frames as of sizes', () => {
    const frames = side([frameAt(300, 500, '⌖ | ⌀0.1 | A'), frameAt(1200, 500, '⌖ | ⌀0.1 | A')]);
    const changed = side([frameAt(1200, 500, '⌖ | ⌀0.1 | A'), frameAt(300, 500, '⌖ | ⌀0.2 | A')]);
    expect(told(frames, changed)).toEqual(['contradicts 1 2', 'agrees 2 1']);
  });
});

test('views that moved are known again by the sizes about each other', () => {
  const view = (x: number, y: number, fit: string): Partial<PmiObject>[] => [
    at(x, y, '⌀10', fit),
    at(x + 150, y + 10, '25'),
    at(x + 20, y + 220, '40', '±0.1'),
  ];
  const other = (x: number, y: number, fit: string): Partial<PmiObject>[] => [
    at(x, y, '⌀10', fit),
    at(x - 130, y + 90, '25'),
    at(x + 60, y - 170, '40', '±0.1'),
  ];
  const before = side([...view(300, 300, 'H7'), ...other(1500, 900, 'H7')]);
  // The second view is now where the first one was.
  const after = side([...other(330, 320, 'H7'), ...view(1700, 500, 'H8')]);
  expect(told(before, after).sort()).toEqual([
    'agrees 2 5',
    'agrees 3 6',
    'agrees 4 1',
    'agrees 5 2',
    'agrees 6 3',
    'contradicts 1 4',
  ]);
});

describe('beside a model, which has faces and no places', () => {
  const bolted = frameAt(1200, 528, '⌖ | ⌀0.1 | A');
  const drawing = side([at(300, 500, '⌀10', 'H7'), at(1200, 500, '⌀10', 'H7'), bolted]);
  const model = (fits: readonly [string, string]): ComparedSide =>
    side(
      [
        onFaces(at(0, 0, '⌀10', fits[0]), 7),
        onFaces(frameAt(0, 0, '⌖ | ⌀0.1 | A'), 7),
        onFaces(at(0, 0, '⌀10', fits[1]), 9),
      ],
      true,
    );

  test('what stands with a size tells which one it is', () => {
    expect(told(drawing, model(['H8', 'H7']))).toEqual(['contradicts 2 1', 'agrees 1 3', 'agrees 3 2']);
    expect(told(drawing, model(['H7', 'H8']))).toEqual(['contradicts 1 3', 'agrees 2 1', 'agrees 3 2']);
  });

  test('where nothing tells it, that is said', () => {
    const alike = side([at(300, 500, '⌀10', 'H7'), at(1200, 500, '⌀10', 'H7')]);
    const other = side([onFaces(at(0, 0, '⌀10', 'H8'), 7), onFaces(at(0, 0, '⌀10', 'H7'), 9)], true);
    expect(told(alike, other)[0]).toMatch(/^contradicts \d 1 of 2$/);
    expect(pmiComparisonCsv(comparePmi(alike, other))).toContain(
      'tolerance: H7 +0.015 0 / H8 +0.022 0; one of 2 alike',
    );
  });

  test('the count tells two sizes apart', () => {
    const counted = side([at(300, 500, '4x ⌀6', '±0.1'), at(1200, 500, '2x ⌀6', '±0.2')]);
    const other = side([onFaces(at(0, 0, '2x ⌀6', '±0.3'), 7), onFaces(at(0, 0, '4x ⌀6', '±0.4'), 9)], true);
    expect(told(counted, other)).toEqual(['contradicts 1 2', 'contradicts 2 1']);
  });
});

describe('in a mirrored view', () => {
  const first = [at(450, 2400, '⌀10', 'H7'), at(1050, 2400, '⌀10', 'g6'), at(750, 2250, '40'), at(360, 2100, '25')];
  const mirrored = first.map(({ box, ...all }) => ({ ...all, box: [1500 - box![0], box![1], 90, 24] as const }));

  test('what says the same agrees, though another one stands on its place', () => {
    const statuses = told(side(first), side(mirrored as never)).map((row) => row.split(' ')[0]);
    expect(statuses).toEqual(['agrees', 'agrees', 'agrees', 'agrees']);
  });

  test('another tolerance is told of the size that has it', () => {
    const changed = mirrored.map((each, i) =>
      i === 0 ? { ...each, parts: [{ text: '⌀10', tolerance: ['g6'] }] } : each,
    );
    expect(told(side(first), side(changed as never)).sort()).toEqual([
      'agrees 2 2',
      'agrees 3 3',
      'agrees 4 4',
      'contradicts 1 1',
    ]);
  });

  test('tolerances that changed sides contradict where all else about them stayed', () => {
    const swapped = [at(450, 2400, '⌀10', 'g6'), at(1050, 2400, '⌀10', 'H7'), ...first.slice(2)];
    const more = [at(900, 2100, '33'), at(600, 2550, '17')];
    const statuses = told(side([...first, ...more]), side([...swapped, ...more])).map((row) => row.split(' ')[0]);
    expect(statuses).toEqual(['contradicts', 'contradicts', 'agrees', 'agrees', 'agrees', 'agrees']);
  });
});
