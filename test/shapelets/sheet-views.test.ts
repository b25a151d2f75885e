import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Picture, Sheet, SheetBox } from '../../dist/content/sheet.js';
import { splitSheet, type SheetView } from '../../dist/shapelets/sheet/split-sheet.js';
import { SHAPELET_SIZE } from '../../dist/shapelets/shapelet.js';
import { classifyStrokes, STROKE_ROLES } from '../../dist/shapelets/sheet/stroke-roles.js';
import { inUnit, ONE_WIDTH, SheetMaker, TWO_WIDTHS, type Pens } from '../fixtures/sheet-maker.js';

/** A bracket in three views on A3, with frame, title block, dimensions, leaders, hidden edges and centre lines. */
function bracket(pens: Pens = TWO_WIDTHS, move = 0): SheetMaker {
  const maker = new SheetMaker(1191, 842, pens).frame();
  const x = 150 + move,
    y = 150 + move;
  // Front: an angle with a hole.
  maker
    .outline([x, y], [x + 40, y], [x + 40, y + 120], [x + 200, y + 120], [x + 200, y + 160], [x, y + 160], [x, y])
    .circle(x + 20, y + 40, 12);
  maker.center([x - 10, y + 40], [x + 50, y + 40]).center([x + 20, y + 15], [x + 20, y + 65]);
  maker
    .dimension(x, x + 200, y + 160, 25, '200')
    .upright(y, y + 160, x, -25, '160')
    .leader(x + 29, y + 32, 'D24 THRU');
  // Top, below the front; side, to its right.
  maker
    .rectangle(x, y + 270, 200, 80)
    .hidden([x + 40, y + 270], [x + 40, y + 350])
    .dimension(x, x + 40, y + 350, 25, '40');
  maker
    .rectangle(x + 330, y, 80, 160)
    .circle(x + 370, y + 40, 12)
    .dimension(x + 330, x + 410, y + 160, 25, '80');
  return maker.text('ALL EDGES BROKEN', 700, 700);
}
const VIEWS: readonly SheetBox[] = [
  { x: 150, y: 150, width: 200, height: 160 },
  { x: 150, y: 420, width: 200, height: 80 },
  { x: 480, y: 150, width: 80, height: 160 },
];

function boxes(views: readonly SheetView[]): SheetBox[] {
  return views.map(({ box }) => box);
}

function expectBoxes(found: readonly SheetBox[], expected: readonly SheetBox[], slack: number): void {
  expect(found).toHaveLength(expected.length);
  for (const box of expected) {
    const near = found.find((other) =>
      (['x', 'y', 'width', 'height'] as const).every((key) => Math.abs(other[key] - box[key]) <= slack),
    );
    expect(near, `no box like ${JSON.stringify(box)} in ${JSON.stringify(found)}`).toBeDefined();
  }
}

function rolesOf(sheet: Sheet): (keyof typeof STROKE_ROLES)[] {
  const names = Object.keys(STROKE_ROLES) as (keyof typeof STROKE_ROLES)[];
  return Array.from(classifyStrokes(sheet), (role) => names.find((name) => STROKE_ROLES[name] === role)!);
}

describe('views of a sheet', () => {
  it('a view that was saved by itself keeps its outline, whatever the margin around it', () => {
    for (const margin of [4, 12, 28, 110]) {
      const plate = (width: number, height: number): SheetMaker =>
        new SheetMaker(width, height, ONE_WIDTH)
          .rectangle(margin, margin, 227, 198)
          .circle(margin + 113, margin + 99, 42)
          .circle(margin + 40, margin + 30, 10);
      const views = splitSheet(plate(227 + 2 * margin, 198 + 2 * margin).sheet());
      expectBoxes(boxes(views), [{ x: margin, y: margin, width: 227, height: 198 }], 2);
    }
  });

  it.each([
    ['two widths', TWO_WIDTHS],
    ['one width', ONE_WIDTH],
    ['a frame as wide as outlines', { ...TWO_WIDTHS, frame: 0.7 }],
  ])('have boxes about the geometry alone, drawn with %s', (_, pens) => {
    const views = splitSheet(bracket(pens).sheet());
    expectBoxes(boxes(views), VIEWS, 1);
    const areas = views.map(({ box }) => box.width * box.height);
    expect([...areas].sort((a, b) => b - a)).toEqual(areas);
  });

  it('are pictures of what they show', () => {
    const front = splitSheet(bracket().sheet())[0];
    const { place, mask, lines, hiddenLines, size, isToScale } = front.shapelet;
    expect(place).toMatchObject({ kind: 'page', page: 1 });
    if (place.kind !== 'page') return;
    expect(place.box.x).toBeCloseTo(150 / 1191, 3);
    expect(place.box.height).toBeCloseTo(160 / 842, 3);
    expect(size[0]).toBeCloseTo(200 / 1191, 3);
    expect([isToScale, mask.length, lines.length, hiddenLines.length]).toEqual([
      false,
      SHAPELET_SIZE ** 2,
      SHAPELET_SIZE ** 2,
      0,
    ]);
    const at = (picture: Uint8Array, x: number, y: number): number =>
      picture[Math.round(32 + 0.3 * (y - 80)) * SHAPELET_SIZE + Math.round(32 + 0.3 * (x - 100))];
    // The leg and the foot are full, the notch between them is free.
    expect([at(mask, 30, 100), at(mask, 150, 140), at(mask, 120, 40)]).toEqual([255, 255, 0]);
    expect(at(lines, 100, 120)).toBeGreaterThan(100);
    expect(at(lines, 100, 140)).toBe(0);
    const top = splitSheet(bracket().sheet()).find(({ box }) => box.y > 400)!;
    expect(top.shapelet.hiddenLines.some((value) => value > 0)).toBe(true);
  });

  it('are the same in any unit, and wherever they stand', () => {
    const sheet = bracket().sheet();
    const views = splitSheet(sheet);
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1_000, noNaN: true }), (factor) => {
        const scaled = splitSheet(inUnit(sheet, factor));
        expect(scaled).toHaveLength(views.length);
        scaled.forEach(({ box }, i) =>
          (['x', 'y', 'width', 'height'] as const).forEach((key) =>
            expect(box[key] / factor).toBeCloseTo(views[i].box[key], 0),
          ),
        );
      }),
      { numRuns: 15 },
    );
    fc.assert(
      fc.property(fc.integer({ min: -60, max: 100 }), (move) => {
        expectBoxes(
          boxes(splitSheet(bracket(TWO_WIDTHS, move).sheet())),
          VIEWS.map((box) => ({ ...box, x: box.x + move, y: box.y + move })),
          1,
        );
      }),
      { numRuns: 15 },
    );
  });

  it('go on behind a break', () => {
    const maker = new SheetMaker(842, 595).frame();
    const zigzag = (x: number): void =>
      void maker.outline([x, 190], [x + 6, 205], [x - 6, 215], [x + 6, 225], [x, 250]);
    maker.outline([100, 200], [250, 200]).outline([100, 240], [250, 240]).outline([100, 200], [100, 240]);
    maker.outline([275, 200], [450, 200]).outline([275, 240], [450, 240]).outline([450, 200], [450, 240]);
    zigzag(250);
    zigzag(275);
    maker.dimension(100, 450, 240, 30, '1250');
    expectBoxes(boxes(splitSheet(maker.sheet())), [{ x: 100, y: 200, width: 350, height: 40 }], 2);
  });

  it('go on behind a break with open ends, also where another view with one stands below', () => {
    const maker = new SheetMaker(842, 595).frame();
    // Pieces that are hardly longer than wide, two views with equal widths and a gap as narrow as that of the break.
    for (const y of [150, 250]) {
      maker.outline([230, y], [150, y], [150, y + 80], [230, y + 80]);
      maker.outline([250, y], [320, y], [320, y + 20], [350, y + 20], [350, y + 60], [320, y + 60], [320, y + 80]);
      maker.outline([320, y + 80], [250, y + 80]);
    }
    const found = splitSheet(maker.sheet());
    expectBoxes(
      boxes(found),
      [150, 250].map((y) => ({ x: 150, y, width: 200, height: 80 })),
      2,
    );
    // The picture shows the outline closed, as the model's has it.
    const { lines, mask } = found[0].shapelet;
    const middle = Array.from({ length: SHAPELET_SIZE }, (_, row) => row * SHAPELET_SIZE + 30);
    expect(middle.filter((at) => lines[at] > 0).length).toBeGreaterThanOrEqual(2);
    expect(mask[32 * SHAPELET_SIZE + 30]).toBe(255);
  });

  it('go on between two break lines that sway alike, which they do not show', () => {
    const maker = new SheetMaker(842, 595).frame();
    const sway = (x: number): [number, number][] =>
      Array.from({ length: 13 }, (_, i) => [x + 5 * Math.sin((i * Math.PI) / 6), 200 + (100 * i) / 12]);
    maker.outline([200, 200], [120, 200], [120, 300], [200, 300]).outline(...sway(200));
    maker.outline([224, 200], [300, 200], [300, 300], [224, 300]).outline(...sway(224));
    const found = splitSheet(maker.sheet());
    expectBoxes(boxes(found), [{ x: 120, y: 200, width: 180, height: 100 }], 2);
    const inside = [26, 28, 30, 34, 36, 38].map((x) => found[0].shapelet.lines[32 * SHAPELET_SIZE + x]);
    expect(inside).toEqual(inside.map(() => 0));
  });

  it('are told apart although their break lines reach each other, and are shown without these', () => {
    const maker = new SheetMaker(842, 595).frame();
    for (const y of [150, 246]) {
      for (const [x, end] of [
        [150, 230],
        [240, 340],
      ])
        maker.outline([x, y], [end, y]).outline([x, y + 80], [end, y + 80]);
      maker.outline([150, y], [150, y + 80]).outline([340, y], [340, y + 80]);
      for (const x of [230, 240])
        maker.outline([x, y - 6], [x, y + 30], [x + 5, y + 37], [x - 5, y + 43], [x, y + 50], [x, y + 86]);
    }
    const found = splitSheet(maker.sheet());
    expectBoxes(
      boxes(found),
      [150, 246].map((y) => ({ x: 150, y, width: 190, height: 80 })),
      2,
    );
    for (const { shapelet } of found) {
      const inside = [22, 25, 28, 31, 34].map((x) => shapelet.lines[26 * SHAPELET_SIZE + x]);
      expect(inside).toEqual(inside.map(() => 0));
    }
  });

  it('go on behind a wide break where the break lines match', () => {
    const broken = (reach: number): readonly SheetBox[] => {
      const maker = new SheetMaker(842, 595).frame();
      maker
        .outline([100, 200], [180, 200])
        .outline([100, 260], [180, 260])
        .outline([100, 200], [100, 260])
        .outline([180, 190], [180, 225], [180, 270]);
      maker
        .outline([260, 200], [340, 200])
        .outline([260, 260], [340, 260])
        .outline([340, 200], [340, 260])
        .outline([260, 190], [260, 225], [260, 190 + reach]);
      return boxes(splitSheet(maker.sheet()));
    };
    expectBoxes(broken(80), [{ x: 100, y: 200, width: 240, height: 60 }], 7);
    expect(broken(60).every(({ width }) => width < 100)).toBe(true);
  });

  it('are two where they stand beside each other, however alike their facing ends', () => {
    // A flange closes both views just before their ends, where thinner outlines reach on.
    const lid = new SheetMaker(842, 595).frame();
    for (const y of [120, 262]) {
      lid.outline([300, y], [304, y], [304, y + 4], [312, y + 4], [312, y + 63], [304, y + 63], [304, y + 67]);
      lid.outline([304, y + 67], [300, y + 67], [300, y]).outline([304, y + 4], [304, y + 63]);
    }
    expectBoxes(
      boxes(splitSheet(lid.sheet())),
      [120, 262].map((y) => ({ x: 300, y, width: 12, height: 67 })),
      1,
    );
    // Flanges protrude from stems of equal width, as break lines would.
    const stems = new SheetMaker(842, 595, ONE_WIDTH).frame();
    const flanged = (x: number, side: 1 | -1): void => {
      const at = (along: number): number => x + side * along;
      stems
        .outline([at(0), 220], [at(70), 220], [at(70), 205], [at(76), 205], [at(76), 275], [at(70), 275])
        .outline([at(70), 275], [at(70), 260], [at(0), 260], [at(0), 220]);
    };
    flanged(120, 1);
    flanged(360, -1);
    expectBoxes(
      boxes(splitSheet(stems.sheet())),
      [120, 284].map((x) => ({ x, y: 205, width: 76, height: 70 })),
      1,
    );
  });

  it('go on behind a break in shaded pictures, and are drawn out to a length of models', () => {
    const sway = (x: number, y: number): [number, number][] =>
      Array.from({ length: 13 }, (_, i) => [x + 3 * Math.sin((i * Math.PI) / 6), y - 10 + (40 * i) / 12]);
    const solid: Picture = { widthPx: 100, heightPx: 20, gray: new Uint8Array(2_000).fill(90) };
    const maker = new SheetMaker(842, 595).frame();
    maker.picture(100, 200, 100, 20, solid).picture(240, 200, 100, 20, solid);
    maker.hidden(...sway(200, 200)).hidden(...sway(240, 200));
    const [view, ...others] = splitSheet(maker.sheet());
    expectBoxes([view.box], [{ x: 100, y: 200, width: 240, height: 20 }], 2);
    expect(others).toEqual([]);
    const { isBroken, size, mask } = view.shapelet;
    expect(isBroken).toBe(true);
    // The least of 1.5^k widths that is not below 12 of them.
    expect(size[0] / size[1]).toBeCloseTo(1.5 ** 7, 0);
    const middle = mask.subarray(32 * SHAPELET_SIZE + 4, 32 * SHAPELET_SIZE + 60);
    expect([...middle].every((value) => value > 0)).toBe(true);
  });

  it('show their body alone once more where leads go off side by side, which a model may lack', () => {
    const maker = new SheetMaker(842, 595).frame();
    maker.rectangle(120, 200, 120, 90).circle(180, 245, 25);
    for (const y of [222, 232, 242, 252, 262]) maker.outline([240, y], [480, y]);
    maker.outline([480, 222], [480, 262]);
    const [view, ...others] = splitSheet(maker.sheet());
    expect(others).toEqual([]);
    expectBoxes([view.box], [{ x: 120, y: 200, width: 360, height: 90 }], 2);
    expectBoxes(view.bare === undefined ? [] : [view.bare.box], [{ x: 120, y: 200, width: 120, height: 90 }], 6);
  });

  it.each([
    ['the shank of a screw from its head', [40, 65], [240, 40]],
    ['the shaft of a knob', [120, 120], [180, 36]],
    ['the shaft of a motor', [180, 180], [120, 42]],
  ] as const)('have no body of their own where one piece goes off: %s', (_, [bodyWide, bodyHigh], [wide, high]) => {
    const maker = new SheetMaker(842, 595).frame();
    maker.rectangle(120, 200, bodyWide, bodyHigh);
    maker.rectangle(120 + bodyWide, 200 + (bodyHigh - high) / 2, wide, high);
    expect(splitSheet(maker.sheet()).map(({ bare }) => bare)).toEqual([undefined]);
  });

  it('are two where flanges of shaded parts stand above each other, which no edge closes', () => {
    const [widthPx, heightPx] = [600, 240];
    const gray = Uint8Array.from({ length: widthPx * heightPx }, (_, i) => {
      const [x, y] = [i % widthPx, Math.floor(i / widthPx)];
      const isFlange = [60, 270, 540].some((middle) => Math.abs(x - middle) <= 60);
      return isFlange || Math.abs(y - 120) < 45 ? 120 : 255;
    });
    const maker = new SheetMaker(842, 595).frame();
    for (const y of [200, 300]) maker.picture(100, y, 200, 80, { widthPx, heightPx, gray });
    expectBoxes(
      boxes(splitSheet(maker.sheet())),
      [200, 300].map((y) => ({ x: 100, y, width: 200, height: 80 })),
      2,
    );
  });

  it('are two where each is closed by a straight edge, however slender', () => {
    const maker = new SheetMaker(842, 595).frame();
    maker.rectangle(100, 200, 150, 40).rectangle(275, 200, 150, 40).circle(140, 220, 8).circle(315, 220, 8);
    expectBoxes(
      boxes(splitSheet(maker.sheet())),
      [100, 275].map((x) => ({ x, y: 200, width: 150, height: 40 })),
      1,
    );
  });

  it('have the width of their edges, though a title block without a frame alone be drawn wide', () => {
    const maker = new SheetMaker(842, 595, ONE_WIDTH);
    const block: [number, number][] = [
      [600, 500],
      [800, 500],
      [800, 560],
      [600, 560],
      [600, 500],
    ];
    maker.stroke(block, { width: 1.4 }).text('BRACKET', 620, 520).text('STEEL', 620, 545);
    maker.rectangle(150, 150, 200, 160).circle(200, 200, 12);
    maker.hidden([160, 160], [340, 160], [340, 300], [160, 300], [160, 160]).hidden([160, 230], [340, 230]);
    expectBoxes(boxes(splitSheet(maker.sheet())), [{ x: 150, y: 150, width: 200, height: 160 }], 1);
  });

  it('have no dimensions that end in ticks, though all lines be of one width', () => {
    const maker = new SheetMaker(842, 595, ONE_WIDTH).frame();
    maker.rectangle(150, 150, 160, 100).rectangle(150, 310, 160, 40).rectangle(200, 180, 40, 30);
    maker.outline([200, 310], [200, 350]);
    const tick = (x: number, y: number): void => void maker.outline([x - 5, y + 5], [x + 5, y - 5]);
    for (const y of [250, 350]) {
      maker.outline([144, y + 25], [316, y + 25]);
      for (const x of [150, 310]) {
        maker.outline([x, y + 2], [x, y + 30]);
        tick(x, y + 25);
      }
    }
    maker.outline([125, 144], [125, 256]);
    for (const y of [150, 250]) {
      maker.outline([148, y], [120, y]);
      tick(125, y);
    }
    expectBoxes(
      boxes(splitSheet(maker.sheet())),
      [
        { x: 150, y: 150, width: 160, height: 100 },
        { x: 150, y: 310, width: 160, height: 40 },
      ],
      1,
    );
    // One alone, across a corner of a view, marks no edge of it.
    const corner = new SheetMaker(842, 595, ONE_WIDTH).frame();
    corner.rectangle(150, 150, 160, 100).rectangle(200, 180, 40, 30).outline([145, 155], [155, 145]);
    expectBoxes(boxes(splitSheet(corner.sheet())), [{ x: 150, y: 150, width: 160, height: 100 }], 1);
  });

  it('are whole where they reach the edge of their sheet', () => {
    const maker = new SheetMaker(300, 200, ONE_WIDTH);
    maker.outline([0, 50], [100, 50], [100, 0], [300, 0], [300, 200], [0, 200], [0, 50]);
    for (const [x0, y0, x1, y1] of [
      [300, 80, 200, 80],
      [60, 200, 60, 120],
      [300, 200, 240, 160],
    ])
      maker.outline([x0, y0], [x1, y1]);
    // As of a drawing without paper, whose sheet ends where its lines do.
    const [view, ...others] = splitSheet({ ...maker.sheet(), space: 'model', unitMm: 1 });
    expect(others).toEqual([]);
    expect(view.box).toEqual({ x: 0, y: 0, width: 300, height: 200 });
    expect(view.strokes).toHaveLength(4);
  });

  it('are none of the frame, however long they are and near to it', () => {
    // A plate as wide as two thirds of the sheet, whose upper edge lies in the outer eighth of it.
    const maker = new SheetMaker(1191, 842).frame().rectangle(200, 90, 786, 360).dimension(200, 986, 450, 25, '786');
    for (let y = 120; y < 450; y += 30) maker.outline([200, y], [986, y]);
    expect(boxes(splitSheet(maker.sheet()))).toEqual([{ x: 200, y: 90, width: 786, height: 360 }]);
  });

  it('are no cutting planes, though these alone be drawn in wide lines', () => {
    const maker = new SheetMaker(800, 600, ONE_WIDTH).rectangle(150, 150, 200, 160).rectangle(480, 150, 80, 160);
    maker.circle(200, 200, 12).circle(520, 220, 12);
    maker.dimension(150, 350, 310, 25, '200').upright(150, 310, 150, -25, '160').dimension(480, 560, 310, 25, '80');
    const wide = { width: 0.7 };
    maker.stroke(
      [
        [250, 130],
        [250, 330],
      ],
      wide,
    );
    for (const y of [130, 330])
      maker
        .stroke(
          [
            [250, y],
            [290, y],
          ],
          wide,
        )
        .arrow(250, y, -1, 0);
    expectBoxes(
      boxes(splitSheet(maker.sheet())),
      [
        { x: 150, y: 150, width: 200, height: 160 },
        { x: 480, y: 150, width: 80, height: 160 },
      ],
      21,
    );
  });

  it('are closed: lines with loose ends are none, whatever else touches them', () => {
    const maker = bracket(ONE_WIDTH);
    for (const y of [600, 640, 680]) maker.outline([150, y], [350, y - 20]).outline([350, y - 20], [372, y - 20]);
    maker.outline([600, 600], [600, 700]).outline([598, 640], [650, 640]).outline([640, 630], [640, 690]);
    expectBoxes(boxes(splitSheet(maker.sheet())), VIEWS, 1);
  });

  it('may be pictures, as large as what they show; logos in the title block are none', () => {
    const disc: Picture = {
      widthPx: 100,
      heightPx: 100,
      gray: Uint8Array.from({ length: 10_000 }, (_, i) =>
        Math.hypot((i % 100) - 50, Math.floor(i / 100) - 50) < 30 ? 90 : 255,
      ),
    };
    const sheet = bracket()
      .picture(700, 150, 200, 200, disc)
      .picture(1191 - 110, 842 - 95, 60, 12, disc)
      .sheet();
    const found = splitSheet(sheet);
    expectBoxes(boxes(found), [...VIEWS, { x: 741, y: 191, width: 118, height: 118 }], 1.5);
    const { shapelet } = found.find(({ box }) => box.x > 700)!;
    const covered = shapelet.mask.reduce((sum, value) => sum + value / 255, 0);
    expect(covered / (Math.PI * 30 ** 2)).toBeCloseTo(1, 1);
    expect(shapelet.lines.some((value) => value > 0)).toBe(true);
  });

  it('are not tables, though these be drawn in wider lines', () => {
    const maker = bracket(ONE_WIDTH);
    const table = (...points: [number, number][]): void => void maker.stroke(points, { width: 1 });
    for (let row = 0; row <= 5; row++) table([700, 300 + 18 * row], [1000, 300 + 18 * row]);
    for (const x of [700, 760, 1000]) table([x, 300], [x, 390]);
    for (let row = 0; row < 5; row++)
      maker.text(String(row + 1), 710, 313 + 18 * row).text('HEXAGON SCREW M8 X 30', 765, 313 + 18 * row);
    expectBoxes(boxes(splitSheet(maker.sheet())), VIEWS, 1);
  });

  it('are no drawn letters', () => {
    const maker = bracket();
    for (let line = 0; line < 4; line++) {
      for (let sign = 0; sign < 20; sign++)
        maker
          .outline(
            [700 + 7 * sign, 500 + 14 * line],
            [703 + 7 * sign, 491 + 14 * line],
            [705 + 7 * sign, 500 + 14 * line],
          )
          .outline([701 + 7 * sign, 497 + 14 * line], [704 + 7 * sign, 497 + 14 * line]);
    }
    expectBoxes(boxes(splitSheet(maker.sheet())), VIEWS, 1);
  });

  it('may have lines that are drawn dash by dash', () => {
    const maker = bracket(ONE_WIDTH);
    // A centre line through two views, and a hidden edge.
    for (let x = 100, i = 0; x < 620; i++) {
      const length = i % 2 === 0 ? 18 : 3;
      maker.thin([x, 200], [x + length, 200]);
      x += length + 3;
    }
    for (let y = 0; y < 10; y++) maker.thin([250, 421 + 8 * y], [250, 426 + 8 * y]);
    const views = splitSheet(maker.sheet());
    expectBoxes(boxes(views), VIEWS, 1);
    expect(
      views.find(({ box }) => box.y > 400)!.shapelet.hiddenLines.filter((value) => value > 0).length,
    ).toBeGreaterThan(30);
  });

  it('are none on a scan, on an empty sheet and in a title block', () => {
    const gray = Uint8Array.from({ length: 120 * 85 }, (_, i) => (i % 7 === 0 ? 0 : 255));
    expect(
      splitSheet(new SheetMaker(1191, 842).picture(0, 0, 1191, 842, { widthPx: 120, heightPx: 85, gray }).sheet()),
    ).toEqual([]);
    expect(splitSheet(new SheetMaker(1191, 842).sheet())).toEqual([]);
    const thumbnail = new SheetMaker(1191, 842)
      .frame()
      .circle(1191 - 70, 842 - 50, 8)
      .rectangle(1191 - 80, 842 - 90, 30, 6);
    expect(splitSheet(thumbnail.sheet())).toEqual([]);
  });

  it('of a model space are to scale, and its own outline is no frame', () => {
    const maker = new SheetMaker(400, 300).rectangle(0, 0, 400, 300).circle(60, 60, 20).circle(340, 60, 20);
    const [view, ...more] = splitSheet({ ...maker.sheet(), space: 'model', unitMm: 25.4 });
    expect(more).toEqual([]);
    expect(view.shapelet).toMatchObject({ isToScale: true, size: [400 * 25.4, 300 * 25.4] });
  });

  it.each([
    ['A4 across', 277, 190, true],
    ['A4 upright, bound', 180, 277, true],
    ['A3 across, bound', 390, 277, true],
    ['US letter', 259.4, 195.9, true],
    ['no paper', 250, 190, false],
    ['no margins', 297, 210, false],
  ])(
    'a rectangle around a model space with texts is a frame where paper has its size: %s',
    (_, width, height, isFrame) => {
      const maker = new SheetMaker(width, height).rectangle(0, 0, width, height).rectangle(40, 40, 60, 30);
      for (const [i, said] of ['30', '60', 'C45'].entries()) maker.text(said, 20 + 60 * i, 120, 5);
      const found = boxes(splitSheet({ ...maker.sheet(), space: 'model', unitMm: 1 }));
      expectBoxes(found, [isFrame ? { x: 40, y: 40, width: 60, height: 30 } : { x: 0, y: 0, width, height }], 1);
    },
  );

  it('an outline of one stroke need not end where it began, as where a hand drew it; a line is no view', () => {
    const hexagon = (turns: number, gap: number): [number, number][] =>
      Array.from({ length: 1 + Math.round(6 * turns) }, (_, k) => {
        const angle = (k * Math.PI) / 3;
        return [150 + 90 * Math.cos(angle) + (k === 6 ? gap : 0), 120 + 90 * Math.sin(angle)];
      });
    for (const gap of [0, 4, -6])
      expect(
        splitSheet(new SheetMaker(300, 240, ONE_WIDTH).outline(...hexagon(1, gap)).sheet()),
        `${gap}`,
      ).toHaveLength(1);
    expect(splitSheet(new SheetMaker(300, 240, ONE_WIDTH).outline(...hexagon(1, 20)).sheet())).toEqual([]);
    expect(splitSheet(new SheetMaker(300, 240, ONE_WIDTH).outline(...hexagon(0.5, 0)).sheet())).toEqual([]);
  });

  it('of a million strokes come in time', () => {
    const maker = new SheetMaker(3370, 2384).frame();
    const sheet = maker.sheet();
    const count = 1_000_000;
    const points = new Float32Array(4 * count);
    for (let i = 0; i < count; i++) {
      const x = 200 + (i % 1_000) * 2,
        y = 200 + Math.floor(i / 1_000) * 1.5;
      points.set([x, y + 0.7 * (i % 2), x + 2, y + 0.7 * ((i + 1) % 2)], 4 * i);
    }
    const strokes = {
      count,
      points,
      starts: Uint32Array.from({ length: count + 1 }, (_, i) => 2 * i),
      styles: new Uint16Array(count),
      groups: Uint32Array.from({ length: count }, (_, i) => i),
      annotations: new Int32Array(count).fill(-1),
    };
    const start = process.cpuUsage().user;
    const views = splitSheet({
      ...sheet,
      styles: [{ layer: '', width: 0.5, dash: [], color: 0, isFill: false }],
      strokes,
    });
    expect(views).toHaveLength(1);
    expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(20);
  });
});

describe('roles of strokes', () => {
  it('tell geometry, hidden edges, centre lines, annotation, fills and frame', () => {
    const maker = new SheetMaker(842, 595).frame();
    const ruled = maker.sheet().strokes.count;
    maker
      .rectangle(200, 200, 150, 100)
      .hidden([200, 250], [350, 250])
      .center([190, 220], [360, 220])
      .dimension(200, 350, 300, 30, '150');
    const roles = rolesOf(maker.sheet());
    expect(new Set(roles.slice(0, ruled))).toEqual(new Set(['frame']));
    expect(roles.slice(ruled)).toEqual([
      'geometry',
      'hidden',
      'center',
      'annotation',
      'annotation',
      'annotation',
      'fill',
      'fill',
    ]);
  });

  it('follow layers and entities where the file has them', () => {
    const maker = new SheetMaker(842, 595);
    for (const layer of ['Kontur', 'VERDECKT', 'Mittellinie', 'Schraffur', 'BEMASSUNG'])
      maker.stroke(
        [
          [100, 100],
          [300, 100],
          [300, 200],
        ],
        { layer, width: 0.5 },
      );
    maker.stroke(
      [
        [100, 300],
        [300, 300],
      ],
      { layer: '0', width: 0.5 },
    );
    const sheet = maker.sheet();
    const annotations = Int32Array.of(-1, -1, -1, -1, -1, 0);
    const roles = rolesOf({
      ...sheet,
      strokes: { ...sheet.strokes, annotations },
      annotations: [{ kind: 'hatch', text: '', box: { x: 100, y: 300, width: 200, height: 0 } }],
    });
    expect(roles).toEqual(['geometry', 'hidden', 'center', 'hatch', 'annotation', 'hatch']);
  });
});
