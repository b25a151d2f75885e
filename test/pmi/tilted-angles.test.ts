// Angles whose text is tilted, with no line beside it that tells its direction.
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { directionOfRow } from '../../dist/pmi/pictures/upright-block.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture } from '../fixtures/drawn-picture.js';

test('a tilted angle is read in the direction of its letters, not as level pieces of it', async () => {
  const bytes = await drawnPicture({
    width: 1_400,
    height: 800,
    lineWidth: 2,
    lines: ['M500 450H1000V650H500Z', 'M600 500H900V560H600Z', 'M500 600H1000'],
    texts: [
      { text: '22.5°', x: 100, y: 200, deg: 12 },
      { text: '60°', x: 400, y: 200, deg: -29 },
      { text: '15°', x: 700, y: 200, deg: 29 },
      { text: '45°', x: 1_000, y: 200, deg: -15 },
      { text: '120°', x: 100, y: 500 },
    ],
  });
  const content = await readContent(bytes, 'drawing.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  const said = readPmi(content).pages.flatMap(({ objects }) =>
    objects.flatMap(({ parts }) => parts.map(({ text }) => text)),
  );
  expect(said.sort()).toEqual(['120°', '15°', '22.5°', '45°', '60°']);
});

test('two letters tell the direction of their row; rows that are level, upright or none have none', () => {
  const at = (x: number, y: number, size = 20) => ({
    x0: x - size / 2,
    x1: x + size / 2,
    y0: y - size / 2,
    y1: y + size / 2,
  });
  expect(directionOfRow([at(0, 0), at(20, 10), at(33, 9, 8)])).toBeCloseTo(Math.atan2(1, 2));
  expect(directionOfRow([at(0, 0), at(20, -10), at(40, -20)])).toBeCloseTo(-Math.atan2(1, 2));
  expect(directionOfRow([at(0, 0), at(20, 1)])).toBeUndefined();
  expect(directionOfRow([at(0, 0), at(1, 20)])).toBeUndefined();
  expect(directionOfRow([at(0, 0), at(20, 10), at(40, 0)])).toBeUndefined();
  expect(directionOfRow([at(0, 0), at(20, 10, 8)])).toBeUndefined();
  expect(directionOfRow([])).toBeUndefined();
});
