import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../dist/content/content.js';
import { disposeOcr } from '../../../dist/readers/pixels/ocr.js';
import { readContent } from '../../../dist/readers/read.js';
import { processorTimeMs } from '../../../dist/processor-time.js';
import { filesBelow, realData } from '../../fixtures/data.js';
import { pdf, textAt } from '../../fixtures/pdf-writer.js';
import { options } from '../helpers.js';

afterAll(disposeOcr);

const read = (bytes: Uint8Array, name: string, limits: Parameters<typeof options>[0] = {}): Promise<Content> =>
  readContent(new Uint8Array(bytes), name, { ...options(limits), ocr: true });

/** A line of text, drawn with an installed font, in the middle of a white picture. */
async function picture(words: string, width = 900, height = 300): Promise<Buffer> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect ` +
    'width="100%" height="100%" fill="white"/><text x="150" y="180" font-size="48" ' +
    `font-family="sans-serif">${words}</text></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

describe('recognising text', () => {
  it('on images gives words with boxes', async () => {
    const content = await read(await picture('Bearing housing 4711'), 'a.png');
    if (content.kind !== 'image') throw new Error(content.kind);
    expect(content.pages).toHaveLength(1);
    const [{ text, runs }] = content.pages;
    expect(text).toBe('Bearing housing 4711');
    expect(runs!.map(({ start, end }) => text.slice(start, end))).toEqual(['Bearing', 'housing', '4711']);
    expect(runs![0].box.x).toBeCloseTo(150 / 900, 1);
    expect(runs![0].box.y + runs![0].box.height).toBeCloseTo(190 / 300, 1);
  });

  it('on pages of a PDF that have no text, and only on these', async () => {
    const { data, info } = await sharp(await picture('Scanned drawing'))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const gray = new Uint8Array(info.width * info.height).map((_, i) => data[i * info.channels]);
    const scan = { content: '', width: 600, height: 200, picture: { width: info.width, height: info.height, gray } };
    const { pages, warnings } = (await read(pdf([{ content: textAt('written', 50, 50) }, scan, scan]), 'a.pdf', {
      ocrPages: 1,
    })) as Extract<Content, { kind: 'document' }>;
    expect(pages.map(({ text }) => text)).toEqual(['written', 'Scanned drawing', '']);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('limits.ocrPages')]);
  });

  it('ends with its share of limits.timeoutMs, and keeps what is there', async () => {
    const { data, info } = await sharp(await picture('Scanned'))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const gray = new Uint8Array(info.width * info.height).map((_, i) => data[i * info.channels]);
    const scan = { content: '', width: 600, height: 200, picture: { width: info.width, height: info.height, gray } };
    const document = (await read(pdf([{ content: textAt('written', 50, 50) }, scan, scan]), 'a.pdf', {
      timeoutMs: 1,
    })) as Extract<Content, { kind: 'document' }>;
    expect(document.pages.map(({ text }) => text)).toEqual(['written', '', '']);
    expect(document.warnings).toEqual([
      { code: 'CONTENT_SKIPPED', message: expect.stringMatching(/2 of 2 pictures .*limits\.timeoutMs, 1,/) },
    ]);

    const one = await picture('Page');
    const tiff = await sharp(
      Array.from({ length: 60 }, () => one),
      { join: { animated: true } },
    )
      .tiff({ compression: 'lzw' })
      .toBuffer();
    // Time for the pixels and for about ten texts on this machine.
    await read(one, 'a.png');
    const started = processorTimeMs();
    await read(one, 'a.png');
    const oneRead = processorTimeMs();
    await readContent(new Uint8Array(tiff), 'a.tif', options());
    const timeoutMs = Math.ceil((10 * (oneRead - started) + processorTimeMs() - oneRead) / 0.6);
    const content = await read(tiff, 'a.tif', { timeoutMs, ocrPages: 60 });
    if (content.kind !== 'image') throw new Error(content.kind);
    expect(content.pages.length).toBeGreaterThan(0);
    expect(content.pages.length).toBeLessThan(60);
    expect(content.warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining(`${60 - content.pages.length} of 60 pictures`)]),
    );
  });

  it('on all pages of a TIFF, and not without being asked', async () => {
    const tiff = await sharp([await picture('First page'), await picture('Second page')], { join: { animated: true } })
      .tiff()
      .toBuffer();
    const content = await read(tiff, 'a.tif');
    expect(content.kind === 'image' && content.pages.map(({ text }) => text)).toEqual(['First page', 'Second page']);
    expect(await readContent(new Uint8Array(tiff), 'a.tif', options())).toMatchObject({ pages: [] });
  });

  it('finds words on real scans', async ({ skip }) => {
    const folder = realData('drawings/pdf-scan');
    if (folder === undefined) return skip('there is no real data');
    const [path] = filesBelow(folder, ['pdf']);
    const content = await read(readFileSync(path), 'scan.pdf');
    expect(content.kind).toBe('drawing');
    expect(content.kind === 'drawing' && content.pages[0].text).toMatch(/scale|material|drawing|title|date|name/i);
  });
});
