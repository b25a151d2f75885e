import { expect, it } from 'vitest';
import { binarise } from '../../dist/bitmap/binarise.js';
import { widestBreak } from '../../dist/shapelets/break-between.js';
import { splitPicture } from '../../dist/shapelets/scan/split-picture.js';
import { SHAPELET_SPAN } from '../../dist/shapelets/shapelet.js';
import { draw, type DrawnBox } from './drawn-page.js';

const [WIDTH, HEIGHT] = [1_600, 1_100];
const THIN = 2;

const line = (d: string, width = THIN): string => `<path d="${d}" stroke="black" stroke-width="${width}" fill="none"/>`;
const circle = (x: number, y: number, r: number, width: number): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" stroke="black" stroke-width="${width}" fill="none"/>`;
/** A filled arrowhead with its tip at a point, which comes from the direction dx, dy. */
const head = (x: number, y: number, dx: number, dy: number, half = 5): string =>
  `<path d="M${x} ${y}l${24 * dx - half * dy} ${24 * dy + half * dx}l${2 * half * dy} ${-2 * half * dx}z"/>`;
const words = (x: number, y: number, text: string): string =>
  `<text x="${x}" y="${y}" font-size="20" font-family="sans-serif">${text}</text>`;
const plate = line('M900 200H1300V420H900Z', 3);

/** Boxes of the views that are found on a page, pixels, from left to right. */
async function viewsOf(items: readonly string[], wide = WIDTH, high = HEIGHT): Promise<DrawnBox[]> {
  const found = splitPicture(await draw(items.join(''), wide, high), 1);
  return found
    .map(({ place }) => {
      if (place.kind !== 'page') throw new Error('a view of a page was expected');
      const { x, y, width, height } = place.box;
      return { x: x * wide, y: y * high, width: width * wide, height: height * high };
    })
    .sort((a, b) => a.x - b.x);
}

function expectBoxes(found: readonly DrawnBox[], wanted: readonly DrawnBox[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [i, box] of wanted.entries())
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs(found[i][side] - box[side])).toBeLessThan(8);
}

const PLATE: DrawnBox = { x: 898, y: 198, width: 403, height: 223 };
/** A note of some letters, without which a page would be a sketch. */
const note = words(900, 560, 'ALL EDGES BROKEN');

it('a ring stays whole where arrows of a cutting plane touch it', async () => {
  const plane = [300, 500].flatMap((x) => [line(`M${x} 340V420`), head(x, 340, 0, 1, 8)]);
  const ring = [circle(400, 340, 100, THIN), circle(400, 340, 40, THIN)];
  const outline = line('M900 200H1300V420H900Z');
  expectBoxes(await viewsOf([...plane, ...ring, outline, note]), [{ x: 299, y: 239, width: 202, height: 202 }, PLATE]);
});

it('a title block without a frame is no view, and its wide lines do not make outlines thin ones', async () => {
  const rows = [860, 910, 960, 1_010];
  const table = [
    line('M1000 860H1560V1010H1000Z', 7),
    ...rows.slice(1, -1).map((y) => line(`M1000 ${y}H1560`, 7)),
    line('M1260 860V1010', 7),
    ...rows.slice(0, -1).flatMap((y) => [words(1_020, y + 35, 'CHECKED 12'), words(1_280, y + 35, 'STEEL 34')]),
  ];
  const dimension = [line('M900 426V500M1300 426V500M900 485H1300'), head(900, 485, 1, 0), head(1_300, 485, -1, 0)];
  expectBoxes(await viewsOf([...table, ...dimension, plate, note]), [PLATE]);
});

it('dimensions that close a loop between their extension lines are no view', async () => {
  const loop = [line('M160 300H392M160 560H392M180 300V560M300 300V560'), words(195, 430, '30')];
  const bar = line('M400 300H440V560H400Z');
  const outline = line('M900 200H1300V420H900Z');
  expectBoxes(await viewsOf([...loop, bar, outline, note]), [{ x: 398, y: 298, width: 43, height: 263 }, PLATE]);
});

it('a detail within a thin circle is closed by it', async () => {
  const detail = [circle(300, 340, 100, 1), line('M200 340H260V400H340V340H400', 4)];
  const outlines = [line('M900 200H1300V420H900Z', 4), line('M900 650H1300V800H900Z', 4)];
  const lighter = [line('M900 426V500M1300 426V500M900 485H1300', 1), head(900, 485, 1, 0), head(1_300, 485, -1, 0)];
  const found = await viewsOf([...detail, ...outlines, ...lighter, note]);
  expectBoxes(
    found.filter(({ x }) => x < 800),
    [{ x: 200, y: 240, width: 200, height: 200 }],
  );
});

it('a section as small as a letter may be is a view beside smaller letters, a large letter is none', async () => {
  const section = line('M500 300H536V330H500ZM500 315H536');
  const outline = line('M900 200H1100V300H900Z');
  const caption = words(502, 356, 'A-A');
  const large = '<text x="300" y="330" font-size="50" font-family="sans-serif">A</text>';
  expectBoxes(await viewsOf([section, caption, large, outline, note]), [
    { x: 499, y: 299, width: 38, height: 32 },
    { x: 899, y: 199, width: 202, height: 102 },
  ]);
});

/** A plate with two holes and the centre lines of one, from x, y. */
const drilled = (x: number, y: number): string[] => [
  line(`M${x} ${y}h560v360h-560z`, 3),
  circle(x + 140, y + 180, 60, 3),
  circle(x + 400, y + 180, 90, 3),
  `<path d="M${x - 8} ${y + 180}h580" stroke="black" stroke-width="2" stroke-dasharray="40 8 8 8"/>`,
];

it('a view that was cut out of its page keeps its outline, which is no frame', async () => {
  expectBoxes(await viewsOf(drilled(18, 18), 596, 396), [{ x: 16, y: 16, width: 563, height: 363 }]);
});

it('a view that was cut out with its dimensions keeps its outline', async () => {
  const across = [line('M100 470V540M660 470V540M100 525H660'), head(100, 525, 1, 0), head(660, 525, -1, 0)];
  const texts = [words(340, 515, '560'), words(160, 60, 'R60'), words(480, 60, 'R90')];
  const found = await viewsOf([...drilled(100, 100), ...across, ...texts], 760, 640);
  expectBoxes(found, [{ x: 98, y: 98, width: 563, height: 363 }]);
});

it('a frame is no view where the picture has the sides of paper, though nothing is written on it', async () => {
  const frame = line('M40 40H1374V960H40Z', 4);
  expectBoxes(await viewsOf([frame, ...drilled(300, 300)], 1_414, 1_000), [
    { x: 298, y: 298, width: 563, height: 363 },
  ]);
});

it('a frame with a title block is no view in a picture of any sides', async () => {
  const frame = line('M60 120H1240V980H60Z', 4);
  const block = [line('M860 860H1240M860 920H1240M1050 860V980', 4)];
  const texts = [
    words(875, 905, 'FLANGE'),
    words(1_065, 905, 'S235'),
    words(875, 965, 'SCALE'),
    words(1_065, 965, '1:2'),
  ];
  const found = await viewsOf([frame, ...block, ...texts, ...drilled(250, 250)], 1_600, 1_010);
  expectBoxes(found, [{ x: 248, y: 248, width: 563, height: 363 }]);
});

it('a sketch with a thick pen is no photo, and neither is one whose lines are drawn along twice', async () => {
  const rough = (width: number): string[] => [
    line('M150 160L742 150L748 560L158 566Z', width),
    line('M450 152L446 560', width),
    circle(300, 350, 60, width),
  ];
  const twice = [line('M158 168L735 159L741 551L165 558Z', 8), line('M459 158L455 552', 8), circle(304, 353, 53, 8)];
  for (const items of [rough(16), [...rough(8), ...twice]]) {
    const found = splitPicture(await draw(items.join(''), 900, 760), 1);
    expect(found).toHaveLength(1);
    expect(found[0].gray).toBeUndefined();
  }
});

it('a solid body stays the object of a photo, however thin it is', async () => {
  const rod = '<path d="M100 300L800 420L796 444L96 324Z" fill="#555"/>';
  const found = splitPicture(await draw(rod, 900, 760), 1);
  expect(found).toHaveLength(1);
  expect(found[0].gray).toBeDefined();
});

it('a sketched gear of separate strokes is one view, though these are as large as letters', async () => {
  // Both flanks of each tooth, without tips and roots, which a hand leaves out where they are small.
  const flanks = Array.from({ length: 100 }, (_, i) => {
    const [from, to] = [(Math.PI * i) / 50, (Math.PI * (i + (i % 2 === 0 ? 0.3 : -0.3))) / 50];
    const at = (radius: number, angle: number): string =>
      `${(450 + radius * Math.cos(angle)).toFixed(1)} ${(380 + radius * Math.sin(angle)).toFixed(1)}`;
    return line(`M${at(256, from)}L${at(276, to)}`, 4);
  });
  const whole = { x: 172, y: 102, width: 556, height: 556 };
  expectBoxes(await viewsOf([...flanks, circle(450, 380, 60, 4)], 900, 760), [whole]);
  // Words beside it still say that it is a page, whose views stand apart.
  const page = await viewsOf(
    [circle(450, 380, 260, 4), line('M800 600H880V700H800Z', 4), words(20, 40, 'SPUR GEAR')],
    900,
    760,
  );
  expect(page).toHaveLength(2);
});

it('a view that was cut out of its page keeps its slanted lines, though its outlines look like a frame', async () => {
  const stroke = (d: string): string => line(d, 5);
  const legs = 'M38 22H89V528A50 50 0 0 0 139 578H643V629H139A101 101 0 0 1 38 528Z';
  const gusset = stroke('M89 124H99L542 567V578');
  const [bracket, ...others] = splitPicture(await draw(stroke(legs) + gusset, 700, 660), 1);
  expect(others).toEqual([]);
  // The legs alone cover .17 of their box, the triangle between them .28.
  expect(bracket.mask.filter((cover) => cover > 127).length / (SHAPELET_SPAN * SHAPELET_SPAN)).toBeCloseTo(0.45, 1);
});

it('pieces of a bent tube whose lines go on behind a gap are one view', async () => {
  const tube = [line('M520 300H300V700H340V340H520', 3), line('M560 300H780V500H740V340H560', 3)];
  expectBoxes(await viewsOf([...tube, plate, note]), [{ x: 298, y: 298, width: 484, height: 404 }, PLATE]);
});

it('a break of a picture may be as deep as break lines that stand out from it sway', async () => {
  const sway = (x: number): string => line(`M${x} 540L${x + 45} 640L${x - 45} 860L${x} 960`);
  const pin = [line('M600 600H200V900H600'), line('M660 600H950V900H660')];
  const { ink } = binarise(await draw([...pin, sway(600), sway(660)].join(''), WIDTH, HEIGHT));
  const pieces = [
    { x0: 199, y0: 599, x1: 645, y1: 901 },
    { x0: 615, y0: 599, x1: 951, y1: 901 },
  ];
  const point = WIDTH / 1_200;
  expect(widestBreak(ink, pieces, point)).toBeUndefined();
  expect(widestBreak(ink, pieces, point, true)?.width).toBeGreaterThan(295);
});

it('a title block alone shows no view, a plate with cutouts beside its numbers does', async () => {
  const [wide, high] = [800, 300];
  const small = (x: number, y: number, text: string): string =>
    `<text x="${x}" y="${y}" font-size="18" font-family="sans-serif">${text}</text>`;
  const rows = [60, 100, 140, 180, 220];
  const block = [
    line('M20 60H780V260H20Z'),
    ...rows.slice(1).map((y) => line(`M20 ${y}H780`)),
    line('M270 60V260M520 60V220'),
    ...rows.flatMap((y) => [small(26, y + 26, 'CHECKED 12'), small(276, y + 26, 'P-4711-B'), small(526, y + 26, '')]),
    small(26, 40, 'ISO 2768 m'),
  ];
  expect(await viewsOf(block, wide, high)).toEqual([]);
  const cutouts = [60, 220, 380, 540].flatMap((x) => [
    line(`M${x} 100h120v60h-120Z`),
    line(`M${x} 180h120v60h-120Z`),
    small(x + 20, 140, 'USB 1'),
  ]);
  expectBoxes(await viewsOf([line('M20 60H780V260H20Z', 3), ...cutouts], wide, high), [
    { x: 19, y: 59, width: 762, height: 202 },
  ]);
});

it('a shaded view with letters in its holes is no table', async () => {
  const body = '<path d="M20 20H980V680H20Z" fill="#b8b8b8" stroke="black" stroke-width="3"/>';
  const holes = [150, 380, 620, 850].flatMap((x) =>
    [200, 500].map((y) => {
      const hole = `<circle cx="${x}" cy="${y}" r="60" fill="white" stroke="black" stroke-width="3"/>`;
      return hole + words(x - 28, y + 8, 'C4.2');
    }),
  );
  const [{ x, width }, ...others] = await viewsOf([body, ...holes], 1_500, 1_000);
  expect(others).toEqual([]);
  // Without the network the margin may count as its background or as a part of it.
  expect(x).toBeLessThan(27);
  expect(x + width).toBeGreaterThan(973);
});

it('a sketch of level and upright strokes is no table, though some of them touch no other', async () => {
  const strokes = [110, 150, 170, 260, 300, 430, 470, 580, 620, 720, 740, 770].map((x, i) =>
    line(`M${x} ${i % 2 === 0 ? 322 : 320}V${i % 3 === 0 ? 396 : 400}`),
  );
  const found = await viewsOf([line('M110 320H770', 3), line('M150 400H780', 3), ...strokes], 900, 760);
  expect(found).toHaveLength(1);
});
