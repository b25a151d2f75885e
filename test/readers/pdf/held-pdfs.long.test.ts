import { expect, test } from 'vitest';
import { pdfOf } from '../../../bench/campaigns/bombs/pdfs.mjs';
import { readContent } from '../../../dist/readers/read.js';
import { readAlone } from '../../fixtures/read-alone.js';
import { options } from '../helpers.js';

// What a page of a PDF takes by its number of fonts, paths and pictures is estimated, so that it ends with a code
// before the process that reads it passes its memory.

/** A page that writes a letter in each of so many fonts, of which the file has only the name. */
function fonts(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, i) => i);
  return pdfOf(
    numbers.map((i) => `BT /F${i} 12 Tf (a) Tj ET`).join('\n'),
    `/Font << ${numbers.map((i) => `/F${i} ${5 + i} 0 R`).join(' ')} >>`,
    numbers.map(
      (i) => `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [97 /a${i}] >> >>`,
    ),
  );
}

test.each([
  ['fonts', 'page 1 with', fonts(250)],
  ['paths', 'what page 1 draws', pdfOf('0 0 m 9 9 l S\n'.repeat(80_000))],
])(
  'a page of too many %s for its process is LIMIT_EXCEEDED, and read where there is room',
  async (_, what, bytes) => {
    const read = (workerMemoryMiB: number) => readContent(new Uint8Array(bytes), 'a.pdf', options({ workerMemoryMiB }));
    const refused = read(64);
    await expect(refused).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'workerMemoryMiB', allowed: 64 },
    });
    await expect(refused).rejects.toThrow(what);
    expect(await read(256)).toMatchObject({ format: 'pdf' });
  },
  120_000,
);

test('thousands of inline pictures are drawn in little memory', async () => {
  const pictures = pdfOf('BI /W 1 /H 1 /BPC 8 /CS /G ID a EI '.repeat(8_000));
  const [end] = await readAlone([['inline.pdf', pictures]]);
  expect([end.read, end.drawn]).toEqual(['', '']);
  // A process that has loaded pdfjs takes 120 MiB; freeing each canvas by giving it no size took 1,200.
  expect(end.rssMiB).toBeLessThan(500);
}, 120_000);

test('a page that draws a form more than a hundred thousand times is refused', async () => {
  const form = ['/Type /XObject /Subtype /Form /BBox [0 0 9 9]', Buffer.alloc(0)] as const;
  const bytes = pdfOf('/F Do\n'.repeat(105_000), '/XObject << /F 5 0 R >>', [form]);
  await expect(readContent(new Uint8Array(bytes), 'a.pdf', options())).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: { limit: 'the number of forms, patterns and glyphs that are drawn', allowed: 100_000 },
  });
}, 120_000);
