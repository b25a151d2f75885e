import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { PMI_TYPE } from '../../dist/pmi/pmi.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture, textWidth, type DrawnText } from '../fixtures/drawn-picture.js';

const PART = 'M200 420H1000V850H200Z';
const BORDER = 'M60 60H1140V940H60Z';

/** What is found on a picture of a drawing with further lines, areas and texts on it: type and text. */
async function foundOn(
  lines: readonly string[],
  { areas = [], texts }: { readonly areas?: readonly string[]; readonly texts: readonly DrawnText[] },
): Promise<ReadonlyMap<string, number>> {
  const bytes = await drawnPicture({ width: 1200, height: 1000, lines: [PART, BORDER, ...lines], areas, texts });
  const content = await readContent(bytes, 'page.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  const { objects } = readPmi(content).pages[0];
  return new Map(objects.map(({ parts, typeId }) => [parts.map(({ text }) => text).join(' '), typeId]));
}

/** A filled head with its tip at a place, that points to the right (1) or to the left (-1). */
function head(x: number, y: number, points: number, wide = 5): string {
  return `M${x} ${y}l${-24 * points} ${-wide}v${2 * wide}Z`;
}

/** Extension lines. */
function walls(y: number, ...places: readonly number[]): string[] {
  return places.map((x) => `M${x} ${y - 15}V${y + 120}`);
}

test('heads that stay joined to their lines tell how a dimension of a picture is placed', async () => {
  const wide = textWidth('64.2');
  const found = await foundOn(
    [
      // Between its lines; a thin head, hardly wider than its line.
      'M200 250H1000',
      ...walls(250, 200, 1000),
      // Arrows from outside, joined or not, and the value behind one of them.
      `M240 600H${430 + wide}`,
      ...walls(600, 300, 340),
      'M640 700H700',
      `M740 700H${830 + wide}`,
      ...walls(700, 700, 740),
      // Open heads.
      'M200 160H1000',
      'M224 152L200 160L224 168',
      'M976 152L1000 160L976 168',
    ],
    {
      areas: [
        head(200, 250, -1, 3),
        head(1000, 250, 1, 3),
        head(300, 600, 1),
        head(340, 600, -1),
        head(700, 700, 1),
        head(740, 700, -1),
      ],
      texts: [
        { text: '820.5', x: 600 - textWidth('820.5') / 2, y: 238 },
        { text: '51.7', x: 420, y: 588 },
        { text: '64.2', x: 820, y: 688 },
        { text: '903.6', x: 600 - textWidth('903.6') / 2, y: 148 },
      ],
    },
  );
  expect(found.get('820.5')).toBe(PMI_TYPE.arrowsInsideValueInside);
  expect(found.get('51.7')).toBe(PMI_TYPE.arrowsOutsideValueOutside);
  expect(found.get('64.2')).toBe(PMI_TYPE.gapValueOutside);
  expect(found.get('903.6')).toBe(PMI_TYPE.arrowsInsideValueInside);
});

test('dots at the ends of a dimension line are no heads', async () => {
  const found = await foundOn(['M200 250H1000', ...walls(250, 200, 600, 1000)], {
    areas: [200, 600, 1000].map((x) => `M${x - 5} 250l5 -5l5 5l-5 5Z`),
    texts: [{ text: '410.5', x: 400 - textWidth('410.5') / 2, y: 238 }],
  });
  expect(found.get('410.5')).toBe(PMI_TYPE.arrows);
});

/** A control frame about a place, turned: position within a width, with its leader at the middle of its left side. */
function slantedFrame(deg: number): { readonly lines: string[]; readonly texts: readonly DrawnText[] } {
  const [cos, sin] = [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)];
  const at = (s: number, t: number): readonly [number, number] => [600 + s * cos - t * sin, 640 + s * sin + t * cos];
  const path = (...points: readonly (readonly [number, number])[]): string =>
    `M${points
      .map(([s, t]) =>
        at(s, t)
          .map((value) => value.toFixed(2))
          .join(' '),
      )
      .join('L')}`;
  const [x, y] = at(15, 15);
  const [signX, signY] = [-45, 0];
  return {
    lines: [
      path([-75, -30], [110, -30], [110, 30], [-75, 30], [-75, -30]),
      path([-15, -30], [-15, 30]),
      // Perpendicularity.
      path([signX - 15, signY + 15], [signX + 15, signY + 15]),
      path([signX, signY - 15], [signX, signY + 15]),
      path([-75, 0], [-150, 60]),
    ],
    texts: [{ text: '0.2', x, y, deg }],
  };
}

test.each([-45, 15])('a slanted frame, one side of which its leader halves, is one: %d degrees', async (deg) => {
  const { lines, texts } = slantedFrame(deg);
  const found = await foundOn(lines, {
    texts: [...texts, ...['410.5', '398.7', '25.3'].map((text, i) => ({ text, x: 250 + 250 * i, y: 200 }))],
  });
  expect([...found.keys()].filter((text) => text.includes('0.2'))).toEqual(['⊥ | 0.2']);
});

test('the sign of a counterbore, which is low and wider than letters, belongs to the diameter behind it', async () => {
  const found = await foundOn(['M300 600V618H336V600'], {
    texts: [
      { text: '⌀11', x: 346, y: 618 },
      { text: '410.5', x: 600, y: 238 },
    ],
  });
  expect(found.get('⌴⌀11')).toBe(PMI_TYPE.counterbore);
});

test('a 1 between hollow heads near the edge of a page is a size, and no mark of a zone', async () => {
  // Heads whose lines end at their backs, in a chain: their tips touch the extension lines.
  const tips = [150, 300, 600, 850];
  const up = (y: number): string => `M1116 ${y}l-11 22l11 -4l11 4Z`,
    down = (y: number): string => `M1116 ${y}l-11 -22l11 4l11 -4Z`;
  const between = tips.slice(1).flatMap((to, i) => {
    const middle = (tips[i] + to) / 2;
    return [`M1116 ${tips[i] + 20}V${middle - 24}`, `M1116 ${middle + 24}V${to - 20}`];
  });
  const found = await foundOn([...between, ...tips.map((y) => `M1050 ${y}H1126`)], {
    areas: tips.slice(1).flatMap((to, i) => [up(tips[i] + 2), down(to - 2)]),
    texts: [
      { text: '64.2', x: 500, y: 240, height: 24 },
      { text: '52.8', x: 500, y: 340, height: 24 },
      ...['1', '4', '3'].map((text, i) => ({
        ...{ text, height: 24, deg: -90 },
        ...{ x: 1128, y: (tips[i] + tips[i + 1]) / 2 + textWidth(text, 24) / 2 },
      })),
    ],
  });
  expect([...found.keys()]).toEqual(expect.arrayContaining(['1', '4', '3']));
});
