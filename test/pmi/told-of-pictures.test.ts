// Lower deviations of pictures that lines cross, and what is told where a size was not understood.
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { PMI_TYPE } from '../../dist/pmi/pmi.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture, levelDimension, textWidth, type DrawnPicture } from '../fixtures/drawn-picture.js';

const PART = ['M500 450H1000V650H500Z', 'M600 500H900V560H600Z', 'M500 600H1000'];

async function pmiOf(picture: Pick<DrawnPicture, 'texts' | 'lines' | 'areas'>) {
  const lines = [...PART, ...(picture.lines ?? [])];
  const bytes = await drawnPicture({ width: 1_200, height: 700, lineWidth: 2, ...picture, lines });
  const content = await readContent(bytes, 'drawing.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  const { pages, leftOut } = readPmi(content);
  const types = pages.flatMap(({ objects }) => objects.map(({ typeId }) => typeId));
  const said = pages.flatMap(({ objects }) =>
    objects.map(({ parts }) => parts.map(({ text, tolerance = [] }) => [text, ...tolerance].join(' ')).join(' / ')),
  );
  return { said: said.sort(), leftOut, types };
}

test('a lower deviation is negative where its sign is lost, and a zero that a line crosses is one', async () => {
  const stacked = (size: string, x: number, upper: string, lower: string) => {
    const at = x + textWidth(size) + 10;
    return [
      { text: size, x, y: 300 },
      { text: upper, x: at, y: 285, height: 20 },
      { text: lower, x: at + 22, y: 314, height: 20 },
    ];
  };
  const { said } = await pmiOf({
    lines: ['M80 316H500', 'M80 260V360', 'M500 260V360'],
    texts: [...stacked('117,4', 200, '+0,28', '0'), ...stacked('31,53', 700, '+0,25', '0,33')],
  });
  expect(said).toEqual(['117,4 +0,28 0', '31,53 +0,25 -0,33']);
});

test('what a dimension line holds and reads as no size is told with its place', async () => {
  const { lines, areas } = levelDimension(300, 700, 320);
  const { leftOut } = await pmiOf({
    lines,
    areas,
    texts: [{ text: 'S7H2', x: 450, y: 305 }],
  });
  expect(leftOut.join()).toMatch(/may be sizes.*: S7H2 \(page 1: 4\d\d, 2\d\d\)/);
});

test('datums in boxes, names of targets, rings about nearly one middle and lines of two sizes are not silent', async () => {
  const circle = (x: number, y: number, radius: number): string =>
    `M${x - radius} ${y}A${radius} ${radius} 0 1 0 ${x + radius} ${y}A${radius} ${radius} 0 1 0 ${x - radius} ${y}`;
  const { said, types, leftOut } = await pmiOf({
    lines: [
      'M740 60H800V120H740Z',
      'M770 120V150L755 180H785L770 150',
      'M690 180H850',
      'M760 105Q762 85 770 84Q780 86 778 98Q775 103 760 105',
      circle(380, 520, 20),
      circle(380, 521.4, 9),
      'M415 510L450 500V540L415 530Z',
      circle(600, 200, 35),
      'M565 200H635M580 228L597 207L601 228M585 221H600',
    ],
    texts: [
      { text: '117,4', x: 900, y: 300 },
      { text: '3', x: 605, y: 228, height: 24 },
      { text: '2x ⌀6,9  6,52', x: 200, y: 430, height: 24 },
    ],
  });
  expect(said).toEqual(expect.arrayContaining(['A3', 'D']));
  expect(types).toContain(PMI_TYPE.thirdAngle);
  expect(leftOut.join()).toMatch(/may be sizes.*: 2x ⌀6,9 6,52 \(page 1: 30\d, 42\d\)/);
});

test('a number in letters of one width is one, though its point stands apart', async () => {
  const high = 20;
  const wide = (text: string, x: number, y: number) =>
    [...text].map((letter, i) => ({ text: letter, x: x + i * 0.85 * high, y, height: high }));
  const { said } = await pmiOf({
    lines: ['M80 316H500', 'M80 260V360', 'M500 260V360'],
    texts: [...wide('37.6', 700, 300), { text: '15,25', x: 240, y: 300 }],
  });
  expect(said).toEqual(['15,25', '37.6']);
});
