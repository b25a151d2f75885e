import sharp, { type Sharp } from 'sharp';
import type { TextPage } from '../content/text.js';
import type { Warning } from '../errors.js';
import type { Limits } from '../options.js';
import { recognise } from './ocr.js';
import { drawPage, openPdf } from './pdfjs.js';
import { TextBudget } from './text-budget.js';

/** Resolution at which pages are drawn, per inch; and the longest side of any picture, pixels: larger ones are made smaller. */
const PAGE_DPI = 200;
const LONGEST_SIDE = 5_000;

/** Text on the pictures of an image file, a page for each as far as `limits.ocrPages`. */
export async function recogniseImage(pictures: readonly Sharp[], limits: Limits, warnings: Warning[]): Promise<TextPage[]> {
  const pages: TextPage[] = [];
  const budget = new TextBudget(limits);
  for (const picture of pictures.slice(0, limits.ocrPages)) pages.push(budget.keep(await recognisePicture(picture, pages.length + 1)));
  if (pictures.length > pages.length) warnings.push(skipped(pictures.length - pages.length, limits));
  warnings.push(...budget.warnings());
  return pages;
}

/** The pages of a PDF, those without text replaced by what is recognised on them, as far as `limits.ocrPages`. */
export async function recognisePages(bytes: Uint8Array, pages: readonly TextPage[], limits: Limits, warnings: Warning[]): Promise<TextPage[]> {
  const empty = pages.filter(({ text }) => text === '');
  if (empty.length === 0) return [...pages];
  const budget = new TextBudget({ ...limits, textCharacters: Math.max(0, limits.textCharacters - pages.reduce((sum, { text }) => sum + text.length, 0)) });
  const found = new Map<number, TextPage>();
  const document = await openPdf(bytes, limits, { images: true });
  try {
    for (const { number } of empty.slice(0, limits.ocrPages)) {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const { widthPx, heightPx, rgba } = await drawPage(document, page, Math.min(PAGE_DPI / 72, LONGEST_SIDE / Math.max(1, width, height)));
      page.cleanup();
      const picture = sharp(Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength), { raw: { width: widthPx, height: heightPx, channels: 4 } });
      found.set(number, budget.keep(await recognisePicture(picture, number)));
    }
  } finally {
    await document.loadingTask.destroy();
  }
  if (empty.length > limits.ocrPages) warnings.push(skipped(empty.length - limits.ocrPages, limits));
  warnings.push(...budget.warnings());
  return pages.map((page) => found.get(page.number) ?? page);
}

async function recognisePicture(picture: Sharp, number: number): Promise<TextPage> {
  const { data, info } = await picture
    .autoOrient()
    .flatten({ background: 'white' })
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  return recognise(data, info.width, info.height, number);
}

function skipped(count: number, limits: Limits): Warning {
  return { code: 'CONTENT_SKIPPED', message: `text was not recognised on ${count} pictures beyond limits.ocrPages, ${limits.ocrPages}` };
}
