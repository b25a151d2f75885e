import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../../dist/content/drawing.js';
import type { Sheet, StrokeStyle } from '../../../dist/content/sheet.js';
import { readContent } from '../../../dist/readers/read.js';
import { damaged } from '../../fixtures/damage.js';
import { lineWork, pdf, textAt, type PdfPage } from '../../fixtures/pdf-writer.js';
import { options } from '../helpers.js';

/** A stroke width that no test uses: strokes of this width make any page a drawing. */
const FILLER = 9;
const filler = `q ${FILLER} w ${lineWork(60)} Q\n`;

async function read(pages: readonly PdfPage[], limits: Parameters<typeof options>[0] = {}): Promise<Drawing> {
  const bytes = pdf(
    pages.map((page) => ({ ...page, content: filler + page.content })),
    { info: { Creator: 'AutoCAD' } },
  );
  const content = await readContent(bytes, 'a.pdf', options(limits));
  if (content.kind !== 'drawing') throw new Error(`a drawing became a ${content.kind}`);
  return content;
}

async function sheetOf(content: string, page: Omit<PdfPage, 'content'> = {}): Promise<Sheet> {
  return (await read([{ width: 500, height: 800, ...page, content }])).sheets[0];
}

/** Strokes as points rounded to hundredths, with their styles, without those that make the page a drawing. */
function strokesOf({
  strokes: { count, points, starts, styles },
  styles: all,
}: Sheet): { style: StrokeStyle; points: number[][] }[] {
  const found: { style: StrokeStyle; points: number[][] }[] = [];
  for (let i = 0; i < count; i++) {
    const style = all[styles[i]];
    if (style.width >= FILLER / 2 && !style.isFill) continue;
    found.push({
      style,
      points: Array.from({ length: starts[i + 1] - starts[i] }, (_, k) =>
        [...points.subarray(2 * (starts[i] + k), 2 * (starts[i] + k) + 2)].map((at) => Math.round(100 * at) / 100),
      ),
    });
  }
  return found;
}

describe('line work of a PDF page', () => {
  it('is in points from the upper left corner, with width, dash and colour', async () => {
    const sheet = await sheetOf('2 w [6 3] 0 d 1 0 0 RG 100 700 m 200 700 l 200 600 l S\n0 0 1 rg 10 10 40 20 re f\n');
    expect(sheet).toMatchObject({ number: 1, width: 500, height: 800, space: 'paper', unitMm: 25.4 / 72 });
    const [line, area] = strokesOf(sheet);
    expect(line).toEqual({
      style: { layer: '', width: 2, dash: [6, 3], color: 0xff0000, isFill: false },
      points: [
        [100, 100],
        [200, 100],
        [200, 200],
      ],
    });
    expect(area.style).toMatchObject({ isFill: true, color: 0x0000ff });
    expect(area.points).toEqual([
      [10, 790],
      [50, 790],
      [50, 770],
      [10, 770],
      [10, 790],
    ]);
  });

  it('follows transforms, which scale widths and dashes, and restores saved states', async () => {
    const sheet = await sheetOf('1 w q 2 0 0 2 100 100 cm [4] 0 d 0 0 m 10 0 l S Q 0 0 m 10 0 l S');
    const [inner, outer] = strokesOf(sheet);
    expect(inner).toMatchObject({
      style: { width: 2, dash: [8] },
      points: [
        [100, 700],
        [120, 700],
      ],
    });
    expect(outer).toMatchObject({
      style: { width: 1, dash: [] },
      points: [
        [0, 800],
        [10, 800],
      ],
    });
  });

  it.each([
    [
      0,
      [
        [100, 700],
        [200, 700],
      ],
    ],
    [
      90,
      [
        [100, 100],
        [100, 200],
      ],
    ],
    [
      180,
      [
        [400, 100],
        [300, 100],
      ],
    ],
    [
      270,
      [
        [700, 400],
        [700, 300],
      ],
    ],
  ] as const)('is upright on a page turned by %i degrees', async (rotate, points) => {
    const sheet = await sheetOf('100 100 m 200 100 l S', { rotate });
    expect([sheet.width, sheet.height]).toEqual(rotate % 180 === 0 ? [500, 800] : [800, 500]);
    expect(strokesOf(sheet)[0].points).toEqual(points);
  });

  it('enters nested form XObjects with their matrix and box', async () => {
    const forms = [
      { content: '0 0 m 100 0 l S /Fm1 Do', dictionary: '/Matrix [0 1 -1 0 300 100]' },
      { content: '0 10 m 900 10 l S', dictionary: '/BBox [0 0 50 50] /Group << /S /Transparency >>' },
    ];
    const nested = await sheetOf('q /Fm0 Do Q 0 5 m 10 5 l S', { forms });
    const [first, inner, last] = strokesOf(nested);
    expect(first.points).toEqual([
      [300, 700],
      [300, 600],
    ]);
    expect(inner.points).toEqual([
      [290, 700],
      [290, 650],
    ]);
    expect(last.points).toEqual([
      [0, 795],
      [10, 795],
    ]);
    // The bounding box of a form clips its content.
    expect(strokesOf(await sheetOf('/Fm1 Do', { forms }))[0].points).toEqual([
      [0, 790],
      [50, 790],
    ]);
  });

  it('is clipped by clip paths and the page', async () => {
    const sheet = await sheetOf(
      'q 100 100 200 200 re W n 0 200 m 500 200 l S 0 0 0 rg 50 50 100 100 re f Q -50 400 m 50 ' +
        '400 l S 0 900 m 100 900 l S',
    );
    const [line, area, edge, ...more] = strokesOf(sheet);
    expect(line.points).toEqual([
      [100, 600],
      [300, 600],
    ]);
    expect(new Set(area.points.map(String))).toEqual(new Set(['100,700', '150,700', '150,650', '100,650']));
    // A thousandth of the page beyond its edge is kept, so that a line along it is.
    expect(edge.points).toEqual([
      [expect.closeTo(-0.8, 1), 400],
      [50, 400],
    ]);
    expect(more).toEqual([]);
  });

  it('replaces curves by chords that stay near them', async () => {
    const k = 55.2285;
    const sheet = await sheetOf(`200 400 m 200 ${400 + k} ${100 + k} 500 100 500 c S`);
    const [{ points }] = strokesOf(sheet);
    expect(points.length).toBeGreaterThan(8);
    for (const [x, y] of points) expect(Math.hypot(x - 100, y - 400)).toBeCloseTo(100, 0);
  });

  it('tells circles and parts of circles from other curves', async () => {
    const k = 0.552285;
    const quarter = (x: number, y: number, r: number): string =>
      `${x + r} ${y} m ${x + r} ${y + k * r} ${x + k * r} ${y + r} ${x} ${y + r} c`;
    const half = `${quarter(100, 400, 50)} ${100 - k * 50} 450 50 ${400 + k * 50} 50 400 c`;
    const circle =
      `${half} 50 ${400 - k * 50} ${100 - k * 50} 350 100 350 c ${100 + k * 50} 350 ` +
      `150 ${400 - k * 50} 150 400 c h`;
    const polyline = Array.from(
      { length: 13 },
      (_, i) =>
        `${300 + 40 * Math.cos((i * Math.PI) / 24)} ${200 + 40 * Math.sin((i * Math.PI) / 24)} ${i === 0 ? 'm' : 'l'}`,
    ).join(' ');
    const sheet = await sheetOf(
      `${circle} S ${quarter(300, 600, 20)} S ${polyline} S 10 10 40 40 re S 300 300 m 300 330 ` +
        '380 330 380 400 c S 0 0 m 10 1 20 1 30 0 c S',
    );
    const arcs = sheet.arcs.map(({ x, y, radius, sweepRad }) =>
      [x, y, radius, sweepRad / Math.PI].map((value) => Math.round(50 * value) / 50),
    );
    expect(arcs).toEqual([
      [100, 400, 50, -2],
      [300, 200, 20, -0.5],
      [300, 600, 40, -0.5],
    ]);
    expect(sheet.arcs[1].startRad).toBeCloseTo(0, 3);
  });

  it('groups strokes of one operation, and distinguishes fills from outlines', async () => {
    const sheet = await sheetOf('1 w 0 0 10 10 re 20 20 10 10 re B 0 0 m 5 5 l S');
    const shown = strokesOf(sheet);
    expect(shown.map(({ style }) => style.isFill)).toEqual([true, true, false, false, false]);
    const groups = [...sheet.strokes.groups].slice(-5);
    expect(new Set(groups.slice(0, 4)).size).toBe(1);
    expect(groups[4]).toBeGreaterThan(groups[0]);
  });

  it('has texts at their places', async () => {
    const { texts } = await sheetOf(textAt('40', 100, 700, 10) + textAt('25 H7', 300, 400, 12, 90));
    expect(texts.map(({ text }) => text)).toEqual(['40', '25 H7']);
    expect(texts[0]).toMatchObject({ x: 100, y: 100, angleRad: 0, annotation: -1 });
    expect(texts[1].angleRad).toBeCloseTo(-Math.PI / 2, 5);
    expect([texts[1].x, texts[1].y, texts[1].height]).toEqual([300, 400, 12]);
    expect(texts[0].width).toBeCloseTo(11.12, 1);
  });
});

describe('pictures on a PDF page', () => {
  /** Two rows of two pixels: black, white; grey, white. */
  const inline = 'BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 00FF80FF> EI';

  it('are grey pixels where they are drawn', async () => {
    const { pictures } = await sheetOf(`q 100 0 0 50 200 600 cm ${inline} Q`);
    expect(pictures).toEqual([
      {
        box: { x: 200, y: 150, width: 100, height: 50 },
        picture: { widthPx: 2, heightPx: 2, gray: Uint8Array.of(0, 255, 128, 255) },
      },
    ]);
  });

  it('are rotated with the page and by transforms', async () => {
    const turned = await sheetOf(`q 0 100 -100 0 300 600 cm ${inline} Q`);
    // A quarter turn counter-clockwise: the right column becomes the top row.
    expect(turned.pictures[0]).toEqual({
      box: { x: 200, y: 100, width: 100, height: 100 },
      picture: { widthPx: 2, heightPx: 2, gray: Uint8Array.of(255, 255, 0, 128) },
    });
    const page = await sheetOf(`q 100 0 0 100 200 600 cm ${inline} Q`, { rotate: 90 });
    expect([...page.pictures[0].picture.gray]).toEqual([128, 0, 255, 255]);
  });

  it('are cut by clips, and stencils are painted', async () => {
    const { pictures } = await sheetOf(
      `q 200 600 50 100 re W n 100 0 0 100 200 600 cm ${inline} Q q 1 0 0 rg 20 0 0 10 0 0 cm BI ` +
        '/W 2 /H 1 /IM true /BPC 1 /F /AHx ID 40> EI Q',
    );
    expect(pictures[0].box).toEqual({ x: 200, y: 100, width: 50, height: 100 });
    expect([...pictures[0].picture.gray]).toEqual([0, 128]);
    expect([...pictures[1].picture.gray]).toEqual([76, 255]);
  });

  it('are scans when a page is nothing else', async () => {
    const width = 1_240,
      height = 1_753;
    const gray = new Uint8Array(width * height).fill(255);
    for (let line = 1; line <= 20; line++) gray.fill(0, line * 80 * width + 100, line * 80 * width + 1_100);
    const content = await readContent(pdf([{ content: '', picture: { width, height, gray } }]), 'a.pdf', options());
    if (content.kind !== 'drawing') throw new Error(content.kind);
    const [{ strokes, pictures }] = content.sheets;
    expect(strokes.count).toBe(0);
    expect(pictures).toMatchObject([
      { box: { x: 0, y: 0, width: 595, height: 842 }, picture: { widthPx: width, heightPx: height } },
    ]);
    expect(pictures[0].picture.gray.filter((value) => value === 0).length).toBeGreaterThan(15 * 1_000);
  });
});

describe('sheets of a PDF', () => {
  it('are kept of at most limits.sheets pages, with a warning for the rest', async () => {
    const { sheets, pages, warnings } = await read(
      [textAt('A-1', 50, 50), '', ''].map((content) => ({ content })),
      { sheets: 2 },
    );
    expect([pages.length, sheets.map(({ number }) => number)]).toEqual([3, [1, 2]]);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('limits.sheets')]);
  });

  it('end where the file draws more than limits.entities, and its text stays', async () => {
    const { sheets, pages, warnings } = await read(
      [{ content: lineWork(300) + textAt('A-1', 50, 50) }, { content: lineWork(300) }],
      { entities: 500 },
    );
    expect(sheets).toHaveLength(1);
    expect(pages[0].text).toBe('A-1');
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('limits.entities')]);
  });

  it('come out alike twice, and damaged ones end in content or a coded error', async () => {
    const bytes = pdf(
      [
        {
          content:
            `${filler}q 100 100 200 200 re W n /Fm0 Do Q q 100 0 0 50 200 600 cm BI /W 2 /H 2 /CS /G ` +
            '/BPC 8 /F /AHx ID 00FF80FF> EI Q',
          forms: [{ content: '0 0 m 100 0 l 4 w S' }],
        },
      ],
      { info: { Creator: 'AutoCAD' } },
    );
    expect(await readContent(bytes, 'a.pdf', options())).toEqual(await readContent(bytes, 'a.pdf', options()));
    for (const broken of damaged(bytes, 100, 11)) {
      const end = await readContent(broken, 'a.pdf', options()).then(
        ({ kind }) => kind,
        (cause: { code?: string }) => cause.code,
      );
      expect([
        'drawing',
        'document',
        'FILE_MALFORMED',
        'FORMAT_UNSUPPORTED',
        'LIMIT_EXCEEDED',
        'NO_GEOMETRY',
      ]).toContain(end);
    }
  });
});
