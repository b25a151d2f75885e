// A fault of the reader of annotations on one page: what a host sees of the file.
import { describe, expect, test } from 'vitest';
import type { Content } from '../../dist/content/content.js';
import type { Drawing } from '../../dist/content/drawing.js';
import type { Model } from '../../dist/content/model.js';
import { describeFile } from '../../dist/indexing/worker/describe-file.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

const FAULT = 'nothing has no length';
/** The same, but `name` of it cannot be read. */
const broken = <T extends object>(whole: T, name: keyof T): T =>
  Object.defineProperty({ ...whole }, name, {
    get() {
      throw new TypeError(FAULT);
    },
  });
const described = (content: Content) =>
  describeFile(content, undefined as never, { textOnly: true, limits: DEFAULT_LIMITS });

async function drawingOf(sizes: readonly string[]): Promise<Drawing> {
  const pages = sizes.map((size) => ({
    content: `${lineWork(400)}${['bracket', size].map((said, i) => textAt(said, 300, 300 + 60 * i, 9)).join('')}`,
    width: 1000,
    height: 900,
  }));
  const content = await readContent(pdf(pages), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  return content;
}

describe('a page of a drawing that the reader of annotations fails at', () => {
  const sizes = ['\xd8 12.5', '\xd8 13.5', '\xd8 14.5', '\xd8 15.5', '\xd8 16.5', '\xd8 17.5', '\xd8 18.5'];

  test('keeps its text, is told, and takes nothing from the other pages', async () => {
    const drawing = await drawingOf(sizes.slice(0, 3));
    const sheets = drawing.sheets.map((sheet, i) => (i === 1 ? broken(sheet, 'strokes') : sheet));
    const { warnings, pages, pageCount, pmi } = described({ ...drawing, sheets });
    expect(warnings).toEqual([
      { code: 'CONTENT_SKIPPED', message: `the dimensions or views of page 2 could not be read: ${FAULT}` },
    ]);
    expect(pageCount).toBe(3);
    expect(pages.map(({ text }) => /1[234]\.5/.exec(text)?.[0])).toEqual(['12.5', '13.5', '14.5']);
    const json = String(pmi?.json);
    expect(['12.5', '13.5', '14.5'].map((size) => json.includes(size))).toEqual([true, false, true]);
  });

  test('is one of many: each reason is told once', async () => {
    const drawing = await drawingOf(sizes);
    const { warnings } = described({ ...drawing, sheets: drawing.sheets.map((sheet) => broken(sheet, 'strokes')) });
    expect(warnings.map(({ message }) => message)).toEqual([
      `the dimensions or views of pages 1, 2, 3, 4, 5 and 2 more could not be read: ${FAULT}`,
    ]);
  });

  test('is no secret from who reads without an ear for faults', async () => {
    const drawing = await drawingOf(sizes.slice(0, 1));
    expect(() => readPmi({ ...drawing, sheets: [broken(drawing.sheets[0], 'strokes')] })).toThrow(FAULT);
  });
});

test('a picture that the reader of annotations fails at stays an image', () => {
  const picture = { width: 900, height: 700, data: new Uint8Array(0) };
  const image: Content = {
    kind: 'image',
    format: 'png',
    widthPx: 900,
    heightPx: 700,
    pictures: [broken(picture, 'data') as never],
    pages: [],
    properties: [{ name: 'Title', unit: '', value: 'bracket' }],
    warnings: [],
  } as never;
  const { kind, warnings, properties } = described(image);
  expect(kind).toBe('Image');
  expect(properties).toEqual([{ name: 'Title', unit: '', value: 'bracket' }]);
  expect(warnings.map(({ code }) => code)).toEqual(['CONTENT_SKIPPED']);
});

test('a model whose annotations the reader fails at keeps its names', () => {
  const annotation = { kind: 'dimension', faces: [] } as never as NonNullable<Model['annotations']>[number];
  const model = {
    kind: 'model',
    format: 'step',
    root: { name: 'bracket', meshes: [], children: [] },
    meshes: [],
    warnings: [],
  };
  const { kind, warnings, pages, pmi } = described({
    ...model,
    annotations: [broken(annotation, 'kind')],
  } as never);
  expect(kind).toBe('ThreeD');
  expect(pages.map(({ text }) => text)).toEqual(['bracket']);
  expect(pmi).toBeUndefined();
  expect(warnings).toEqual([
    { code: 'CONTENT_SKIPPED', message: `the model's annotations could not be read: ${FAULT}` },
  ]);
});
