import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import type { PmiObject } from '../../dist/pmi/pmi.js';
import { drawnAnnotations } from '../../dist/readers/brep/step/drawn-annotations.js';
import { readContent } from '../../dist/readers/read.js';
import { binaryDxf } from '../fixtures/binary-dxf.js';
import { dxf, line, mtext, text, type Groups } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt, type PdfOptions } from '../fixtures/pdf-writer.js';

/** The annotations of a drawing, and its warnings. */
async function read(bytes: Uint8Array, name: string): Promise<{ objects: readonly PmiObject[]; warnings: string[] }> {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  const { pages } = readPmi(content);
  return {
    objects: pages.flatMap(({ objects }) => objects),
    warnings: content.warnings.map(({ message }) => message),
  };
}
const textsOf = (objects: readonly PmiObject[]): string[] =>
  objects.flatMap(({ parts }) => parts.map((part) => [part.text, ...(part.tolerance ?? [])].join(' ')));

describe('layers of PDFs that are off', () => {
  const drawing = (options: PdfOptions): Uint8Array =>
    pdf(
      [
        {
          content:
            `${lineWork(400)}${textAt('25 H7', 100, 700)}` +
            `/OC /L0 BDC ${textAt('31 ±0.1'.replace('±', '\xb1'), 200, 700)}40 40 m 80 80 l S EMC\n` +
            `${textAt('44', 300, 700)}/OC /L1 BDC ${textAt('57', 400, 700)} EMC\n`,
        },
      ],
      options,
    );
  const layer = (name: string, isOff: boolean) => ({ name, isOff });

  test('what stands on them is counted by layer and is no part of the PMI', async () => {
    const { objects, warnings } = await read(drawing({ layers: [layer('OLD', true), layer('NEW', false)] }), 'a.pdf');
    expect(textsOf(objects)).toEqual(['25 H7', '44', '57']);
    expect(warnings).toEqual([
      '1 texts and 1 paths on layers that are off are not drawn and are no part of the PMI: OLD (1 texts, 1 paths)',
    ]);
  });

  test('nothing is said where all are on', async () => {
    const { objects, warnings } = await read(drawing({ layers: [layer('OLD', false), layer('NEW', false)] }), 'a.pdf');
    expect(textsOf(objects)).toEqual(['25 H7', '31 ±0.1', '44', '57']);
    expect(warnings).toEqual([]);
  });
});

test('texts outside of a page of a PDF are counted', async () => {
  const content = `${lineWork(400)}${textAt('25', 100, 700)}${textAt('31', 900, 700)}${textAt('26', 200, 700)}${textAt('32', 100, 2000)}`;
  const { objects, warnings } = await read(pdf([{ content }]), 'a.pdf');
  expect(textsOf(objects)).toEqual(['25', '26']);
  expect(warnings).toEqual(['2 texts outside of their pages were left out']);
});

describe('SVG', () => {
  const drawing = (inside: string): Uint8Array =>
    new TextEncoder().encode(
      `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297"><g fill="none" ` +
        `stroke="#000"><path d="M5 5H415V292H5Z"/></g><text x="80" y="78" font-size="4">25 H7</text>${inside}</svg>`,
    );
  const hidden = (texts: number, shapes: number): string =>
    `${texts} texts and ${shapes} shapes that are hidden are not drawn and are no part of the PMI`;

  test.each([
    [
      '<g style="display:none"><text y="9">31.5</text><path d="M1 1L2 2"/><g><text y="9">4</text></g></g>',
      hidden(2, 1),
    ],
    ['<style>.old{visibility:hidden}</style><text class="old" x="80" y="120">31.5</text>', hidden(1, 0)],
    ['<g opacity="0"><text x="80" y="120"><tspan>31.5</tspan></text></g>', hidden(1, 0)],
    ['<text x="80" y="120" font-size="4" fill="none">31.5</text>', hidden(1, 0)],
    ['<g fill-opacity="0"><text x="80" y="120"><tspan>31.5</tspan></text></g>', hidden(1, 0)],
    ['<text x="800" y="120" font-size="4">31.5</text>', '1 texts outside of the picture are no part of the PMI'],
  ])('what is not seen is counted: %s', async (inside, said) => {
    const { objects, warnings } = await read(drawing(inside), 'a.svg');
    expect(textsOf(objects)).toEqual(['25 H7']);
    expect(warnings).toEqual([said]);
  });

  const white = (count: number): string =>
    `${count} texts that are not seen, because they are white, are no part of the PMI`;
  const pale = '<text x="80" y="120" font-size="4" fill="white">31.5 H7</text>';
  test.each([
    [pale, [], [white(1)]],
    [`<g fill="#fefefe" stroke="#fff">${pale.replace(' fill="white"', '')}</g>`, [], [white(1)]],
    [`<rect x="70" y="110" width="60" height="20"/>${pale}`, ['31.5 H7'], []],
    [`<image x="70" y="110" width="60" height="20" href="a.png"/>${pale}`, ['31.5 H7'], []],
    [pale.replace('font-size', 'stroke="#000" font-size'), ['31.5 H7'], []],
    // The edges of letters, which stand there in black too.
    [`${pale}${pale.replace('white', 'black')}`, ['31.5 H7'], []],
    [`<defs><g id="a">${pale}</g></defs><use href="#a"/>`, [], [white(1)]],
  ])('white letters are seen on what is dark alone: %s', async (inside, sizes, said) => {
    const { objects, warnings } = await read(drawing(inside), 'a.svg');
    expect(textsOf(objects)).toEqual(['25 H7', ...sizes]);
    expect(warnings).toEqual(said);
  });

  test('a drawing for dark screens is read', async () => {
    const bytes = drawing(pale);
    const dark = new TextDecoder().decode(bytes).replace('<svg ', '<svg style="background:#222" ');
    const lines = new TextDecoder().decode(bytes).replace('#000', '#fff');
    for (const each of [dark, lines])
      expect(textsOf((await read(new TextEncoder().encode(each), 'a.svg')).objects)).toEqual(['25 H7', '31.5 H7']);
  });

  test('letters that are stroked, or filled within a text that is not, are seen', async () => {
    const inside =
      '<text x="80" y="120" font-size="4" fill="none" stroke="#000">31.5 H7</text>' +
      '<text x="80" y="160" font-size="4" fill="none"><tspan fill="#000">8 H7</tspan></text>';
    const { objects, warnings } = await read(drawing(inside), 'a.svg');
    expect(textsOf(objects)).toEqual(['25 H7', '31.5 H7', '8 H7']);
    expect(warnings).toEqual([]);
  });

  test('nothing is said of hidden shapes alone, nor of definitions', async () => {
    const inside = '<path display="none" d="M1 1L2 2"/><defs><text>31.5</text></defs>';
    expect((await read(drawing(inside), 'a.svg')).warnings).toEqual([]);
  });
});

describe('CAD drawings', () => {
  const FRAME: readonly Groups[] = [line(0, 0, 200, 0), line(200, 0, 200, 150)];

  test('signs in binary DXF since AutoCAD 2007 are the same as in text', async () => {
    const bytes = dxf({ version: 'AC1027', entities: [...FRAME, text('∅20 H7', 50, 80), mtext('∅12 ±0,1', 50, 50)] });
    const [plain, binary] = [await read(bytes, 'a.dxf'), await read(binaryDxf(bytes), 'b.dxf')];
    expect(textsOf(binary.objects)).toContain('⌀12 ±0,1');
    expect(textsOf(binary.objects)).toEqual(textsOf(plain.objects));
  });

  test('a stacked fraction keeps its gap to the number before it', async () => {
    const content = await readContent(
      dxf({
        entities: [
          ...FRAME,
          mtext(`4'-0{\\H0.7x;\\S1/4;}"`, 50, 80),
          mtext('\\S3#8;"', 50, 50),
          mtext('20\\S+0.1^-0.2;', 50, 30),
          mtext('60%%d{\\H0.7x;\\S+1\\U+00B0^ 0\\U+00B0;}', 90, 30),
        ],
      }),
      'a.dxf',
      { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never,
    );
    const words = content.kind === 'model' ? '' : content.pages.map((page) => page.text).join('\n');
    expect(words).toContain(`4'-0 1/4"`);
    expect(words).toContain('3/8"');
    expect(words).toContain('20 +0.1 -0.2');
    expect(words).toContain('60° +1° 0°');
  });
});

test('annotations of a STEP file that are only drawn, or hidden, are counted', () => {
  const lines = [
    "#10=DRAUGHTING_CALLOUT('tied',(#1));",
    "#11=DRAUGHTING_CALLOUT('alone',(#2));",
    "#12=LEADER_DIRECTED_CALLOUT('alone too',(#2));",
    "#20=DRAUGHTING_MODEL_ITEM_ASSOCIATION('','',#3,#4,#10);",
    '#30=INVISIBILITY((#12));',
  ];
  const bytes = Buffer.from(
    `ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n${lines.join('\n')}\nENDSEC;\nEND-ISO-10303-21;\n`,
  );
  expect(drawnAnnotations(bytes)).toEqual({ unread: 2, hidden: 1 });
  expect(drawnAnnotations(Buffer.from('ISO-10303-21;'))).toEqual({ unread: 0, hidden: 0 });
});

describe('boxes along the text', () => {
  test('slanted and upright texts of a PDF have one, level ones have none', async () => {
    const content = `${lineWork(400)}${textAt('25', 100, 700)}${textAt('31.25', 300, 500, 12, 30)}${textAt('44', 200, 400, 12, 90)}`;
    const { objects } = await read(pdf([{ content }]), 'a.pdf');
    const boxOf = (said: string) => objects.find(({ parts }) => parts[0]?.text === said)!;
    expect(boxOf('25').orientedBox).toBeUndefined();
    // 842 points are 3 000 pixels; 30° counter-clockwise on the page.
    const slanted = boxOf('31.25');
    expect(slanted.orientedBox).toMatchObject({ angleDeg: -30 });
    const { x, y, width, height } = slanted.orientedBox!;
    expect(height).toBeGreaterThan(30);
    expect(height).toBeLessThan(60);
    expect(width).toBeGreaterThan(2 * height);
    // Its corners fill the upright box.
    const [left, top, across, down] = slanted.box;
    const [cos, sin] = [Math.cos(Math.PI / 6), 0.5];
    expect(Math.abs(width * cos + height * sin - across)).toBeLessThan(3);
    expect(Math.abs(width * sin + height * cos - down)).toBeLessThan(3);
    expect(Math.abs(left + across / 2 - x) + Math.abs(top + down / 2 - y)).toBeLessThan(3);
    const upright = boxOf('44');
    expect(upright.orientedBox).toMatchObject({ angleDeg: -90 });
    expect(Math.abs(upright.orientedBox!.height - upright.box[2])).toBeLessThan(3);
  });

  test('so have notes of CAD drawings', async () => {
    const bytes = dxf({ entities: [line(0, 0, 200, 0), line(200, 0, 200, 150), mtextTurned('⌀20 H7', 60, 60, 45)] });
    const { objects } = await read(bytes, 'a.dxf');
    expect(objects).toMatchObject([{ parts: [{ text: '⌀20', tolerance: ['H7'] }], orientedBox: { angleDeg: -45 } }]);
  });
});

/** An MTEXT that is turned counter-clockwise. */
function mtextTurned(value: string, x: number, y: number, degrees: number): Groups {
  return [...mtext(value, x, y), [50, degrees]];
}

describe('texts of PDFs that nobody sees', () => {
  const TOLD =
    '1 texts that are not seen, because they are white, drawn without ink, cut off or covered, are no part of the PMI';
  const sheetOf = (content: string): Uint8Array => pdf([{ content: `${lineWork(400)}0 g ${content}` }]);
  const hidden = textAt('31 H7', 200, 700);

  test.each([
    ['outside of its clip', `q 0 0 100 100 re W n ${hidden}Q `],
    ['below an area that is filled later', `${hidden}q 1 g 190 690 80 30 re f Q `],
  ])('a text %s is no size, and is told', async (_, content) => {
    const { objects, warnings } = await read(sheetOf(`${content}${textAt('25 H7', 100, 700)}`), 'a.pdf');
    expect([textsOf(objects), warnings]).toEqual([['25 H7'], [TOLD]]);
  });

  test.each([
    ['within its clip', `q 150 650 300 100 re W n ${hidden}Q `],
    ['above an area', `q 1 g 190 690 80 30 re f Q ${hidden}`],
    ['half below an area', `${hidden}q 1 g 190 690 20 30 re f Q `],
    ['below one that is no rectangle', `${hidden}q 1 g 190 690 m 270 690 l 190 720 l f Q `],
  ])('a text %s is one', async (_, content) => {
    const { objects, warnings } = await read(sheetOf(content), 'a.pdf');
    expect([textsOf(objects), warnings]).toEqual([['31 H7'], []]);
  });
});

test('a note of a PDF says what its appearance shows', async () => {
  const content = `${lineWork(400)}0 g ${textAt('25 H7', 100, 700)}`;
  const look = 'BT /F1 12 Tf 5 10 Td (39 H7) Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ' +
      '/Annots [6 0 R] >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Annot /Subtype /FreeText /Rect [500 340 620 380] /Contents (M8 H7) /DA (/Helv 12 Tf 0 g) ' +
      '/AP << /N 7 0 R >> >>',
    `<< /Type /XObject /Subtype /Form /BBox [0 0 120 40] /Resources << /Font << /F1 5 0 R >> >> /Length ${look.length} >>` +
      `\nstream\n${look}\nendstream`,
  ];
  const file = `%PDF-1.6\n${objects.map((each, i) => `${i + 1} 0 obj\n${each}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R >>`;
  expect(textsOf((await read(Buffer.from(file), 'a.pdf')).objects)).toEqual(['25 H7', '39 H7']);
});
