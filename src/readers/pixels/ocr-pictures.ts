import type { TextPage } from '../../content/text.js';
import { warning, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { processorTimeMs } from '../../processor-time.js';
import { sharp, type Sharp } from '../decoding/decoder.js';
import { recognise } from './ocr.js';
import { drawPage, openPdf } from '../pdf-file/pdfjs.js';
import { TextBudget } from '../text/text-budget.js';

/** Resolution at which PDF pages are drawn for recognition, pixels per inch. */
const PAGE_DPI = 200;
/** Longest side of a picture given to the recogniser, pixels; larger pictures are reduced. */
const LONGEST_SIDE = 5_000;

/** The pictures of an image file; each is opened only when it is recognised. */
export interface Pictures {
  readonly count: number;
  readonly pictureAt: (index: number) => Sharp;
}

/**
 * Bounds of recognition: at most `limits.ocrPages` pictures, and none is started after `endMs` by `processorTimeMs`.
 */
export interface OcrBounds {
  readonly limits: Limits;
  readonly endMs: number;
}

/** Recognises the text of an image file: one page per picture, until a bound is reached. */
export async function recogniseImage(
  { count, pictureAt }: Pictures,
  bounds: OcrBounds,
  warnings: Warning[],
): Promise<TextPage[]> {
  const pages: TextPage[] = [];
  const budget = new TextBudget(bounds.limits);
  while (pages.length < count && mayGoOn(pages.length, bounds))
    pages.push(budget.keep(await recognisePicture(pictureAt(pages.length), pages.length + 1)));
  warnings.push(...skipped(pages.length, count, bounds), ...budget.warnings());
  return pages;
}

/** The pages of a PDF, where pages without text are replaced by recognised ones until a bound is reached. */
export async function recognisePages(
  bytes: Uint8Array,
  pages: readonly TextPage[],
  bounds: OcrBounds,
  warnings: Warning[],
): Promise<TextPage[]> {
  const { limits } = bounds;
  const empty = pages.filter(({ text }) => text === '');
  if (empty.length === 0) return [...pages];
  const budget = new TextBudget({
    ...limits,
    textCharacters: Math.max(0, limits.textCharacters - pages.reduce((sum, { text }) => sum + text.length, 0)),
  });
  const found = new Map<number, TextPage>();
  const document = await openPdf(bytes, limits, { images: true });
  try {
    for (const { number } of empty) {
      if (!mayGoOn(found.size, bounds)) break;
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const { widthPx, heightPx, rgba } = await drawPage(
        document,
        page,
        Math.min(PAGE_DPI / 72, LONGEST_SIDE / Math.max(1, width, height)),
      );
      page.cleanup();
      const picture = sharp(Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength), {
        raw: { width: widthPx, height: heightPx, channels: 4 },
      });
      found.set(number, budget.keep(await recognisePicture(picture, number)));
    }
  } finally {
    await document.loadingTask.destroy();
  }
  warnings.push(...skipped(found.size, empty.length, bounds), ...budget.warnings());
  return pages.map((page) => found.get(page.number) ?? page);
}

function mayGoOn(done: number, { limits, endMs }: OcrBounds): boolean {
  return done < limits.ocrPages && processorTimeMs() < endMs;
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

function skipped(done: number, count: number, { limits }: OcrBounds): Warning[] {
  if (done === count) return [];
  const why =
    done === limits.ocrPages
      ? `beyond limits.ocrPages, ${limits.ocrPages}`
      : `because most of limits.timeoutMs, ${limits.timeoutMs}, had passed`;
  return [warning('CONTENT_SKIPPED', `text was not recognised on ${count - done} of ${count} pictures ${why}`)];
}
