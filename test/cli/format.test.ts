import { expect, test } from 'vitest';
import { sizeOf } from '../../dist/cli/commands/features.js';
import { renderHits } from '../../dist/cli/hits.js';
import { boxSize, bytes, decimal, duration, oneLine, pathEnd, plural, volume } from '../../dist/cli/format.js';
import { renderTable } from '../../dist/cli/table.js';
import { SEARCH_LIMITS, type SearchHit, type SearchResult } from '../../dist/index.js';

test('numbers have a few digits and thousands separators', () => {
  expect([0.456, 8.25, 42.34, 165.4, 12_345.6].map(decimal)).toEqual(['0.46', '8.25', '42.3', '165', '12,346']);
});

test('a volume of 100 cm³ or more is given in cm³', () => {
  expect(volume(637.2)).toBe('637 mm³');
  expect(volume(99_999)).toBe('99,999 mm³');
  expect(volume(347_622)).toBe('348 cm³');
});

test('a box is given longest side first', () => {
  expect(boxSize([8.5, 25, 8.5])).toBe('25 × 8.5 × 8.5');
});

test('times, bytes and counts', () => {
  expect([7.4, 760, 11_100].map(duration)).toEqual(['0:07', '12:40', '3:05:00']);
  expect([999, 9_400_000].map(bytes)).toEqual(['999 B', '9.4 MB']);
  expect([plural(1, 'file'), plural(1200, 'file')]).toEqual(['1 file', '1,200 files']);
});

test('a long path keeps its end', () => {
  expect(pathEnd('fasteners/cap-screws/M5x20.step', 12)).toBe('…/M5x20.step');
  expect(pathEnd('M5x20.step', 12)).toBe('M5x20.step');
});

test('columns line up under their titles, wide characters too', () => {
  const lines = renderTable(
    [{ title: 'File' }, { title: 'Volume', align: 'right' }],
    [
      ['ねじ.step', '1'],
      ['screw.step', '1,234'],
    ],
  ).split('\n');
  expect(lines).toEqual(['File        Volume', 'ねじ.step        1', 'screw.step   1,234']);
});

test('less similar hits stand behind a line, at the similarity at which the page draws it', () => {
  const hits = [0.1, 0, -0.1].map((more, i) => ({
    path: `${'abc'[i]}.stl`,
    kind: 'ThreeD',
    score: 0.4,
    similarity: SEARCH_LIMITS.lessSimilarBelow + more,
    matchClass: 'similar',
    bboxSizeMm: [1, 1, 1],
    volumeMm3: 1,
    because: [],
    textHighlights: [],
  })) as unknown as SearchHit[];
  const inputs = [{ kind: 'ThreeD', bboxSizeMm: [1, 1, 1], volumeMm3: 1 }];
  const result = { hits, inputs, total: 3 } as unknown as SearchResult;
  const lines = renderHits(result, { names: ['a.stl'], offset: 0 }).split('\n');
  expect(lines.map((line) => /less similar|[abc]\.stl/.exec(line)?.[0]).filter(Boolean)).toEqual([
    'a.stl',
    'a.stl',
    'b.stl',
    'less similar',
    'c.stl',
  ]);
});

test('names steer no terminal, and are read in the order in which they stand', () => {
  expect(oneLine('a\u{1B}[31m\nb')).toBe('a\u{FFFD}[31m⏎b');
  expect(oneLine('plate\u{202E}pets.exe')).toBe('plate\u{FFFD}pets.exe');
});

test('the depth of a hole with a mouth is said to be that of both', () => {
  const hole = { kind: 'hole', count: 1, faces: [7, 8], diameterMm: 8, depthMm: 20, isThrough: true } as const;
  expect(sizeOf(hole)).toBe('⌀8, 20 deep');
  expect(sizeOf({ ...hole, sunk: 'counterbored', sunkDiameterMm: 16 })).toBe('⌀8, mouth ⌀16, 20 deep in all');
  expect(sizeOf({ ...hole, sunk: 'counterbored', sunkDiameterMm: 16, sunkDepthMm: 5 })).toBe(
    '⌀8, mouth ⌀16, 5 deep, 20 deep in all',
  );
});
