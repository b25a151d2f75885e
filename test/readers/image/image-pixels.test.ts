import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Image } from '../../../dist/content/image.js';
import { PICTURE_PAGES, PICTURE_SIDE_PX } from '../../../dist/readers/pixels/gray-pictures.js';
import { readContent } from '../../../dist/readers/read.js';
import { bmp } from '../../fixtures/image-writer.js';
import { options } from '../helpers.js';

async function read(bytes: Uint8Array, name: string): Promise<Image> {
  const content = await readContent(new Uint8Array(bytes), name, options());
  if (content.kind !== 'image') throw new Error(`${name} became a ${content.kind}`);
  return content;
}

/** A picture that is black on the left and white on the right. */
const halves = (): Sharp =>
  sharp(Buffer.from(Array.from({ length: 40 * 20 }, (_, i) => (i % 40 < 20 ? 0 : 255))), {
    raw: { width: 40, height: 20, channels: 1 },
  });
const clear = (alpha: number): Sharp =>
  sharp({ create: { width: 40, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha } } });
const plain = (background: string): Sharp => sharp({ create: { width: 8, height: 8, channels: 3, background } });

describe('pixels of an image', () => {
  it.each<[string, () => Promise<Uint8Array>]>([
    ['a.png', () => halves().png().toBuffer()],
    ['palette.png', () => halves().png({ palette: true, colours: 2 }).toBuffer()],
    ['deep.png', () => halves().toColourspace('grey16').png().toBuffer()],
    ['a.jpg', () => halves().jpeg({ quality: 95 }).toBuffer()],
    ['ink.jpg', () => halves().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
    ['a.webp', () => halves().webp({ lossless: true }).toBuffer()],
    ['a.tif', () => halves().tiff().toBuffer()],
    ['one-bit.tif', () => halves().toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' }).toBuffer()],
    ['a.gif', () => halves().gif().toBuffer()],
    ['a.avif', () => halves().avif({ quality: 90, effort: 0 }).toBuffer()],
  ])('%s: black is black, white is white', async (name, make) => {
    const [picture, ...more] = (await read(await make(), name)).pictures;
    expect(more).toEqual([]);
    expect([picture.widthPx, picture.heightPx, picture.gray.length]).toEqual([40, 20, 800]);
    expect(picture.gray[10 * 40 + 5]).toBeLessThan(25);
    expect(picture.gray[10 * 40 + 34]).toBeGreaterThan(245);
  });

  it('are upright: turned by their orientation', async () => {
    const [picture] = (await read(await halves().png().withMetadata({ orientation: 6 }).toBuffer(), 'a.png')).pictures;
    expect([picture.widthPx, picture.heightPx]).toEqual([20, 40]);
    // After a quarter turn clockwise the left half is at the top.
    expect([picture.gray[5 * 20 + 10], picture.gray[35 * 20 + 10]]).toEqual([0, 255]);
  });

  it('have colors where they may be a photo: upright, on white, at most 480 a side; grey ones and large PNG of paper have none', async () => {
    const red = sharp({ create: { width: 1_000, height: 500, channels: 3, background: '#ff0000' } });
    const halfBlue = red.composite([
      { input: { create: { width: 500, height: 500, channels: 3, background: '#0000ff' } }, left: 0, top: 0 },
    ]);
    const turned = await halfBlue.png().withMetadata({ orientation: 6 }).toBuffer();
    const [{ colors }] = (await read(turned, 'a.png')).pictures;
    expect([colors?.widthPx, colors?.heightPx, colors?.rgb.length]).toEqual([240, 480, 3 * 240 * 480]);
    // After a quarter turn clockwise the left half, blue, is at the top.
    expect([...colors!.rgb.subarray(0, 3)]).toEqual([0, 0, 255]);
    expect([...colors!.rgb.subarray(-3)]).toEqual([255, 0, 0]);
    const veiled = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    });
    const grey = [halves(), plain('#808080'), veiled];
    const page = sharp({ create: { width: 3_000, height: 2_000, channels: 3, background: '#fffff0' } });
    for (const picture of [...grey, page]) {
      const [stored] = (await read(await picture.png().toBuffer(), 'a.png')).pictures;
      expect(stored.colors).toBeUndefined();
    }
    // A large bright picture may be a photo when it is a JPEG.
    const [bright] = (await read(await page.jpeg().toBuffer(), 'a.jpg')).pictures;
    expect(bright.fine?.widthPx).toBe(3_000);
    expect(bright.colors?.widthPx).toBe(480);
  });

  it('are blended with white where they are transparent', async () => {
    for (const [alpha, level] of [
      [0, 255],
      [0.5, 127],
    ]) {
      for (const [name, bytes] of [
        ['a.png', await clear(alpha).png().toBuffer()],
        ['a.webp', await clear(alpha).webp({ lossless: true }).toBuffer()],
      ] as const) {
        expect(Math.abs((await read(bytes, name)).pictures[0].gray[0] - level), name).toBeLessThanOrEqual(1);
      }
    }
  });

  it('are luminance: green is brighter than red, red than blue', async () => {
    const [red, green, blue] = await Promise.all(
      ['#f00', '#0f0', '#00f'].map(
        async (color) => (await read(await plain(color).png().toBuffer(), 'a.png')).pictures[0].gray[0],
      ),
    );
    expect(green).toBeGreaterThan(red);
    expect(red).toBeGreaterThan(blue);
  });

  it('of a BMP too', async () => {
    const { gray } = (await read(bmp(20, 20, 24), 'a.bmp')).pictures[0];
    expect(gray[0]).toBeGreaterThan(gray[1]);
  });

  it('are reduced, and kept of a bounded number of pages', async () => {
    const [large] = (
      await read(
        await sharp({ create: { width: 5_000, height: 100, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
        'a.png',
      )
    ).pictures;
    expect([large.widthPx, large.heightPx]).toEqual([PICTURE_SIDE_PX, 48]);
    const pages = await Promise.all(
      Array.from({ length: PICTURE_PAGES + 2 }, (_, i) =>
        plain(i % 2 === 0 ? '#000' : '#fff')
          .png()
          .toBuffer(),
      ),
    );
    const many = await read(
      await sharp(pages, { join: { animated: true } })
        .tiff()
        .toBuffer(),
      'a.tif',
    );
    expect(many.pictures.map(({ gray }) => gray[0]).slice(0, 3)).toEqual([0, 255, 0]);
    expect(many.pictures).toHaveLength(PICTURE_PAGES);
    expect(many.warnings.map(({ code }) => code)).toEqual(['CONTENT_SKIPPED']);
    expect(
      (
        await read(
          await sharp(pages.slice(0, 3), { join: { animated: true } })
            .gif()
            .toBuffer(),
          'a.gif',
        )
      ).pictures,
    ).toHaveLength(1);
  });
});
