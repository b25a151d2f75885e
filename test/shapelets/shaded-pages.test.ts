import { describe, expect, it } from 'vitest';
import type { Picture } from '../../dist/content/sheet.js';
import { binarise } from '../../dist/bitmap/binarise.js';
import { Core } from '../../dist/core/core.js';
import { splitPicture } from '../../dist/shapelets/scan/split-picture.js';
import { SHAPELET_SIZE, type Shapelet } from '../../dist/shapelets/shapelet.js';
import { seeded } from '../fixtures/random.js';
import { draw, scanned, type DrawnBox } from './drawn-page.js';

const PLATE: DrawnBox = { x: 240, y: 240, width: 300, height: 240 };
const SIDE: DrawnBox = { x: 720, y: 240, width: 100, height: 240 };

/** A framed page of 1 200 by 850: a shaded plate with a hole and a step of grey, its side, and dimensions of both. */
function shadedPage(): string {
  const line = (d: string): string => `<path d="${d}" stroke="black" stroke-width="2" fill="none"/>`;
  const arrow = (x: number, y: number, dx: number, dy: number): string =>
    `<path d="M${x} ${y}l${20 * dx - 5 * dy} ${20 * dy + 5 * dx}l${10 * dy} ${-10 * dx}z"/>`;
  return [
    '<rect x="40" y="40" width="1120" height="770" fill="none" stroke="black" stroke-width="4"/>',
    '<path d="M240 240h300v240h-300zM330 360a50 50 0 0 0 100 0a50 50 0 0 0 -100 0z" fill="#a0a0a0" fill-rule="evenodd"/>',
    '<rect x="240" y="240" width="300" height="60" fill="#505050"/>',
    '<rect x="720" y="240" width="100" height="240" fill="#b4b4b4"/>',
    // Dimensions close loops with the views.
    line('M240 482V580M540 482V580M240 540H540'),
    arrow(240, 540, 1, 0),
    arrow(540, 540, -1, 0),
    line('M718 240H640M718 480H640M660 240V480'),
    arrow(660, 240, 0, 1),
    arrow(660, 480, 0, -1),
    '<text x="360" y="535" font-size="22" font-family="sans-serif">125.00</text>',
    '<text x="590" y="365" font-size="22" font-family="sans-serif">75.0</text>',
  ].join('');
}

function overlap({ place }: Shapelet, { widthPx, heightPx }: Picture, wanted: DrawnBox): number {
  if (place.kind !== 'page') throw new Error('a view of a page was expected');
  const { x, y, width, height } = place.box;
  const along = (start: number, length: number, from: number, wide: number): number =>
    Math.max(0, Math.min(start + length, from + wide) - Math.max(start, from));
  const [w, h] = [width * widthPx, height * heightPx];
  const shared = along(x * widthPx, w, wanted.x, wanted.width) * along(y * heightPx, h, wanted.y, wanted.height);
  return shared / (w * h + wanted.width * wanted.height - shared);
}

/** Largest value of a picture within two pixels of a point of the plate, px of the page. */
function nearOf(picture: Uint8Array, x: number, y: number): number {
  const scale = 60 / PLATE.width;
  const [u, v] = [x - PLATE.x - PLATE.width / 2, y - PLATE.y - PLATE.height / 2].map((off) =>
    Math.round(SHAPELET_SIZE / 2 + scale * off),
  );
  const found = [-2, -1, 0, 1, 2].flatMap((dy) =>
    [-2, -1, 0, 1, 2].map((dx) => picture[(v + dy) * SHAPELET_SIZE + u + dx]),
  );
  return Math.max(...found);
}

describe('a page with shaded views', () => {
  it.each([
    ['drawn', 0],
    ['scanned with noise', 5],
  ])('%s gives silhouettes with holes, and lines where the shading steps', async (_name, noise) => {
    const drawn = await draw(shadedPage(), 1_200, 850);
    const page = noise === 0 ? drawn : scanned(drawn, 0, noise, seeded(5));
    const [plate, side, ...more] = splitPicture(page, 1);
    expect(more.map(({ place }) => place)).toEqual([]);
    expect(overlap(plate, page, PLATE)).toBeGreaterThan(0.93);
    expect(overlap(side, page, SIDE)).toBeGreaterThan(0.93);
    // The hole is free and has an outline; the step of grey is a line, and evenly grey areas have none.
    expect(nearOf(plate.mask, 380, 360)).toBeLessThan(40);
    expect(nearOf(plate.mask, 500, 440)).toBe(255);
    expect(nearOf(plate.lines, 380, 410)).toBeGreaterThan(100);
    expect(nearOf(plate.lines, 390, 300)).toBeGreaterThan(100);
    expect(nearOf(plate.lines, 240, 400)).toBeGreaterThan(100);
    expect(nearOf(plate.lines, 380, 360)).toBe(0);
    expect(nearOf(plate.lines, 490, 420)).toBe(0);
  });

  it('without a frame and dimensions is a page of views as well, and one shaded part without a text is the object of a photo', async () => {
    const plain = shadedPage()
      .split('<')
      .filter((mark) => /fill="#/.test(mark))
      .map((mark) => `<${mark}`);
    const page = scanned(await draw(plain.join(''), 1_200, 850), 0, 3, seeded(7));
    const views = splitPicture(page, 1);
    expect(views.map(({ isFree }) => isFree)).toEqual([undefined, undefined]);
    expect(overlap(views[0], page, PLATE)).toBeGreaterThan(0.93);
    expect(overlap(views[1], page, SIDE)).toBeGreaterThan(0.93);
    const alone = scanned(await draw(plain.slice(0, 2).join(''), 1_200, 850), 0, 3, seeded(7));
    expect(splitPicture(alone, 1).map(({ isFree }) => isFree)).toEqual([true]);
    const text = '<text x="700" y="700" font-size="30" font-family="sans-serif">PLATE 4711</text>';
    const named = await draw(plain.slice(0, 2).join('') + text, 1_200, 850);
    expect(splitPicture(named, 1).map(({ isFree }) => isFree)).toEqual([undefined]);
  });
});

describe('a scanned sheet with a frame and shaded views', () => {
  it('is a page, not an object, without letters too; lines between two views do not join them', async () => {
    const wanted = [
      { x: 120, y: 100, width: 620, height: 640 },
      { x: 880, y: 100, width: 100, height: 240 },
      { x: 880, y: 460, width: 100, height: 240 },
    ];
    const bodies = wanted.map(
      ({ x, y, width, height }) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#808080"/>`,
    );
    const frame = '<rect x="30" y="30" width="1140" height="790"/>',
      lines = '<path d="M882 342V400M978 342V458M882 380H978M882 400V458" stroke-width="2"/>';
    const drawn = `<g fill="none" stroke="black" stroke-width="4">${frame}${lines}</g>${bodies.join('')}`;
    const page = scanned(await draw(drawn, 1_200, 850), 0, 3, seeded(9));
    const views = splitPicture(page, 1, await Core.load());
    expect(views.map(({ isFree }) => isFree)).toEqual([undefined, undefined, undefined]);
    for (const box of wanted) expect(Math.max(...views.map((view) => overlap(view, page, box)))).toBeGreaterThan(0.9);
  });

  it('shows a pale view that is large for the light to be uneven there, and no shadow that reaches its edge', async () => {
    const [x, y, width, height] = [150, 100, 700, 700];
    const view = `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#c4c4c4"/>`;
    const shadow = '<rect x="950" width="700" height="900" fill="#c4c4c4"/>';
    const { ink } = binarise(await draw(view + shadow, 1_650, 900));
    const at = (column: number, row: number): number => ink.bits[row * ink.width + column];
    expect([at(x + width / 2, y + height / 2), at(1_400, 450)]).toEqual([1, 0]);
  });
});

describe('a scanned page with broken views', () => {
  it('shows each as one where the ends are open, as lines of dimensions are', async () => {
    const line = (d: string): string => `<path d="${d}" stroke="black" stroke-width="3" fill="none"/>`;
    const broken = (x: number, y: number): string =>
      line(`M${x + 120} ${y}h-120v160h120`) + line(`M${x + 150} ${y}h170v160h-170`);
    const frame = '<rect x="40" y="40" width="1120" height="770" fill="none" stroke="black" stroke-width="4"/>';
    const picture = await draw(`${frame}${broken(240, 200)}${broken(240, 460)}`, 1_200, 850);
    const found = splitPicture(scanned(picture, 1, 4, seeded(4)), 1);
    expect(found).toHaveLength(2);
    for (const y of [200, 460]) {
      const wanted = { x: 240, y, width: 320, height: 160 };
      expect(Math.max(...found.map((view) => overlap(view, picture, wanted)))).toBeGreaterThan(0.8);
    }
  });

  it('shows each as one, without its break lines', async () => {
    const line = (d: string): string => `<path d="${d}" stroke="black" stroke-width="3" fill="none"/>`;
    const sway = (x: number, y: number): string => `M${x} ${y}c-16 40 -16 40 0 80s16 40 0 80`;
    const broken = (x: number, y: number): string =>
      line(`M${x + 120} ${y}h-120v160h120`) +
      line(sway(x + 120, y)) +
      line(sway(x + 150, y)) +
      line(`M${x + 150} ${y}h110v40h60v80h-60v40h-110`) +
      line(`M${x + 260} ${y + 40}v80`);
    const frame = '<rect x="40" y="40" width="1120" height="770" fill="none" stroke="black" stroke-width="4"/>';
    const picture = await draw(`${frame}${broken(240, 200)}${broken(240, 400)}`, 1_200, 850);
    const found = splitPicture(scanned(picture, 0, 5, seeded(3)), 1);
    expect(found).toHaveLength(2);
    for (const y of [200, 400]) {
      const wanted = { x: 240, y, width: 320, height: 160 };
      expect(Math.max(...found.map((view) => overlap(view, picture, wanted)))).toBeGreaterThan(0.85);
    }
    for (const { lines } of found) {
      // The middle of the break, whatever way its lines sway.
      const across = [24, 26, 28, 30, 32].map((x) => lines[27 * SHAPELET_SIZE + x]);
      expect(across).toEqual(across.map(() => 0));
    }
  });
});
