import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import { EngineError } from '../../dist/errors.js';
import { readContent } from '../../dist/readers/read.js';
import { filesBelow, realData } from '../fixtures/data.js';
import { expectSound } from './cad-drawing/sound-sheet.js';
import { options } from './helpers.js';

const drawings = realData('drawings');

async function read(path: string): Promise<Drawing> {
  const content = await readContent(readFileSync(path), basename(path), options());
  if (content.kind !== 'drawing') throw new Error(`${path} became a ${content.kind}`);
  return content;
}

describe.skipIf(drawings === undefined)('real DXF and DWG', () => {
  it('give their text and sound sheets, or say why not', async () => {
    const files = filesBelow(drawings!, ['dxf', 'dwg']);
    const refused: string[] = [];
    const without: string[] = [];
    for (const path of files) {
      const name = basename(path);
      try {
        const { pages, sheets } = await read(path);
        sheets.forEach(expectSound);
        if (sheets.length !== pages.length || !pages.some(({ text }) => text.length > 5)) without.push(name);
        // Its attributes stand in their blocks, not far from them.
        if (name === 'AutoCad_Sample.dwg') expect(sheets[1].width).toBeLessThan(800);
      } catch (cause) {
        if (!(cause instanceof EngineError)) throw cause;
        refused.push(`${name} ${cause.code} ${cause.message}`);
      }
    }
    expect(files.length).toBeGreaterThan(25);
    expect(without).toEqual([]);
    expect(refused).toEqual([
      expect.stringMatching(/^ACEB10\.dwg FORMAT_UNSUPPORTED .*AC1009/),
      expect.stringMatching(/^dim\.dwg FORMAT_UNSUPPORTED .*AC1003/),
    ]);
  });
});

describe.each(['drawings', 'pairs'])('real PDFs, %s', (name) => {
  const folder = realData(name);
  it.skipIf(folder === undefined)('are drawings, with a sheet each and all strokes on it', async () => {
    const files = filesBelow(folder!, ['pdf']);
    for (const path of files) {
      const { sheets } = await read(path);
      expect(sheets.length, path).toBeGreaterThan(0);
      for (const { strokes, width, height } of sheets) {
        // Lines on the very edge are kept, whatever rounding does to them.
        const longer = Math.max(width, height),
          edge = 1.1e-3 * longer;
        const outside = strokes.points.find((value) => !(value > -edge && value < longer + edge));
        expect(outside, path).toBeUndefined();
      }
    }
    expect(files.length).toBeGreaterThan(20);
  });
});
