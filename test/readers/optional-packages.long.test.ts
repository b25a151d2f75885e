import { describe, expect, test } from 'vitest';
import { printedWithout } from '../fixtures/package-copy.js';

/** Reads a white picture, with and without recognising text. */
const READ_PICTURE = `
  import sharp from 'sharp';
  import { DEFAULT_LIMITS } from './dist/options.js';
  import { readContent } from './dist/readers/read.js';
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } }).png().toBuffer();
  const options = { limits: DEFAULT_LIMITS, defaultUnit: 'mm' };
  const { kind } = await readContent(png, 'a.png', options);
  const withOcr = () => readContent(png, 'a.png', { ...options, ocr: true }).then(
    () => 'read',
    ({ code, details, message }) => ({ code, details, message }),
  );
  const first = await withOcr();
  console.log(JSON.stringify([kind, first, await withOcr()]));
  process.exit();
`;

/** Reads a DXF file with one line, and the beginning of a DWG file. */
const READ_DRAWINGS = `
  import { DEFAULT_LIMITS } from './dist/options.js';
  import { readContent } from './dist/readers/read.js';
  const dxf = ['0', 'SECTION', '2', 'ENTITIES', '0', 'LINE', '8', '0', '10', '0', '20', '0', '11', '9', '21', '9',
    '0', 'ENDSEC', '0', 'EOF', ''].join('\\n');
  const dwg = Buffer.concat([Buffer.from('AC1015'), Buffer.alloc(400)]);
  const results = [];
  for (const [bytes, name] of [[Buffer.from(dxf), 'a.dxf'], [dwg, 'a.dwg']]) {
    results.push(await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' }).then(
      ({ kind }) => kind,
      ({ code, details, message }) => ({ code, details, message }),
    ));
  }
  console.log(JSON.stringify(results));
`;

/** Reads and draws a PDF with a line and a text, where pdfjs finds no canvas: it resolves that beside itself. */
const READ_PDF = `
  import Module from 'node:module';
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => {
    if (!name.startsWith('@napi-rs/canvas')) return resolve(name, ...rest);
    throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
  };
  console.log = console.warn = () => undefined;
  const { DEFAULT_LIMITS: limits } = await import('./dist/options.js');
  const { readContent } = await import('./dist/readers/read.js');
  const { drawPageOf } = await import('./dist/readers/pixels/page-pixels.js');
  const page = '9 9 m 90 60 l S BT /F 9 Tf 20 80 Td (M8 x 40) Tj ET';
  const bytes = Buffer.from('%PDF-1.4\\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\\n' +
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]' +
    '/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\\n' +
    '4 0 obj<</Length ' + page.length + '>>stream\\n' + page + '\\nendstream endobj\\ntrailer<</Root 1 0 R>>\\n');
  const { pages } = await readContent(bytes, 'a.pdf', { limits, defaultUnit: 'mm' });
  const drawing = { page: 1, bounds: [{ widthPx: 90, heightPx: 90 }], limits, endMs: Infinity };
  const drawn = await drawPageOf({ format: 'pdf', bytes }, drawing).then(
    () => 'drawn',
    ({ code, details }) => ({ code, details }),
  );
  process.stdout.write(JSON.stringify([pages.map(({ text }) => text.trim()), drawn]));
`;

describe('without an optional package', () => {
  test('a PDF is read, and drawing it names the package', async () => {
    const failure = { code: 'PACKAGE_MISSING', details: { package: '@napi-rs/canvas' } };
    expect(await printedWithout([], READ_PDF)).toEqual([['M8 x 40'], failure]);
  });

  test('reading DXF and DWG names the package', async () => {
    const name = '@node-projects/acad-ts';
    const failure = {
      code: 'PACKAGE_MISSING',
      details: { package: name },
      message: `reading DXF and DWG needs the package ${name}: npm install ${name}`,
    };
    expect(await printedWithout([name], READ_DRAWINGS)).toEqual([failure, failure]);
    expect(await printedWithout([], READ_DRAWINGS)).toEqual([
      'drawing',
      expect.objectContaining({ code: 'FILE_MALFORMED' }),
    ]);
  });

  test.each(['tesseract.js', '@tesseract.js-data/eng'])(
    'an image is read, and recognising its text names the package: %s',
    async (name) => {
      const failure = {
        code: 'PACKAGE_MISSING',
        details: { package: name },
        message: expect.stringContaining(`npm install ${name}`),
      };
      // Twice: a failed start is not remembered as a success.
      expect(await printedWithout([name], READ_PICTURE)).toEqual(['image', failure, failure]);
    },
  );

  test('nothing is missing when all packages are there: the copy is complete', async () => {
    expect(await printedWithout([], READ_PICTURE)).toEqual(['image', 'read', 'read']);
  });

  test('the front is imported and a library opened without any package that reads files', async () => {
    const readers = [
      'tesseract.js',
      '@tesseract.js-data/eng',
      'sharp',
      'pdfjs-dist',
      'postal-mime',
      'occt-import-js',
      '@node-projects/acad-ts',
    ];
    const open = `
      import { Engine } from './dist/index.js';
      const engine = await Engine.open('./library');
      await engine.company('acme');
      await engine.close();
      console.log(JSON.stringify('closed'));
    `;
    expect(await printedWithout(readers, open)).toBe('closed');
  });
});
