import { unzipSync, strFromU8 } from 'fflate';
import { describe, expect, test } from 'vitest';
import { duplicatesCsv, inspectionCsv, inspectionXlsx, type DuplicateGroup } from '../../dist/index.js';

// Texts in tables are of others: of drawings, names of files, attributes.

const FORMULAS = ['=1+2', '+1+2', '-1+2', '@SUM(1)', '\t=1+2', '\r=1+2', '＝1+2'];
const HOSTILE = [
  ...FORMULAS,
  // The end of a cell for a spreadsheet whose lists are separated by semicolons, or for one that reads lines.
  ...FORMULAS.flatMap((formula) => [`size;${formula};`, `a,"b;${formula}`, `1\n${formula}`, `"x";${formula}`]),
];

const row = (reading: string) => ({
  number: 1,
  page: 1,
  id: 1,
  kind: 'length',
  reading,
  count: 1,
  unit: 'mm',
  from: '',
});

/** Cells as a spreadsheet with this separator may cut them, that is, also without regard to quotation marks. */
const cellsOf = (text: string, separator: string): string[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/[\r\n]/)
    .flatMap((line) => line.split(separator))
    .map((cell) => cell.replace(/^"/, ''));

describe('no text of a file is a formula', () => {
  test.each([',', ';', '\t'])('in CSV that is cut at %j', (separator) => {
    const group = (path: string): DuplicateGroup =>
      ({ matchClass: 'bytes', keep: null, members: [{ uid: 'u', path, addedAt: new Date(0) }] }) as never;
    for (const hostile of HOSTILE) {
      // A comma ends no cell within quotation marks, and these tables have commas.
      const texts = separator === ',' ? [hostile.replaceAll(',', '')] : [hostile];
      for (const text of texts)
        for (const file of [inspectionCsv([row(text)]), duplicatesCsv([group(text)])])
          expect([text, cellsOf(file, separator).filter((cell) => /^[=+\-@＝＋－＠]/.test(cell))]).toEqual([text, []]);
    }
  });

  test('in a workbook, which stays one whatever the texts are', () => {
    const numbers = { nominal: NaN, upper: Infinity, lower: -0.1 };
    const texts = [...HOSTILE, 'a\u0000\u0001\ud800b', '_x000D_', '<&">', 'x'.repeat(40_000)];
    const rows = texts.map((text) => ({ ...row(text), ...numbers }));
    const sheet = strFromU8(unzipSync(inspectionXlsx(rows))['xl/sheet1.xml']);
    expect(sheet).not.toMatch(/<f[ >]|NaN|Infinity|[\u0000-\u0008]/);
    const cells = [...sheet.matchAll(/<t [^>]*>([^<]*)<\/t>/g)].map(([, text]) => text);
    expect(Math.max(...cells.map((text) => text.length))).toBe(32_767);
    expect(cells).toContain('_x005F_x000D_');
    expect(cells).toContain('=1+2');
  });
});
