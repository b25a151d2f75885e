import { checkInteger, withDefaults } from '../options.js';

/** Options of drawing a thumbnail. */
export interface ThumbnailOptions {
  /** Pixels per side, 16 to 1024: models fill the square, pages and images fit into it. Default 256. */
  readonly size: number;
  /** For models; pages and images are always on white. Default 'transparent'. */
  readonly background: 'transparent' | 'white';
  /** Page of a drawing, an image file or a document, from 1. Default: the first; the fullest of a CAD drawing. */
  readonly page?: number;
}

/** Defaults of {@link ThumbnailOptions}. */
export const DEFAULT_THUMBNAIL: ThumbnailOptions = Object.freeze({
  size: 256,
  background: 'transparent',
  page: undefined,
});

/** Options of drawing a page. */
export interface PageImageOptions {
  /** From 1. Default: as with {@link ThumbnailOptions}. */
  readonly page?: number;
  /**
   * Width in pixels, 16 to 4096; the height follows. Where it would exceed {@link PAGE_IMAGE_LIMITS}, the width becomes
   * smaller. Default 1024.
   */
  readonly width: number;
}

/** Defaults of {@link PageImageOptions}. */
export const DEFAULT_PAGE_IMAGE: PageImageOptions = Object.freeze({ page: undefined, width: 1_024 });

/** Bounds on pictures of pages, pixels. */
export const PAGE_IMAGE_LIMITS = Object.freeze({ width: 4_096, height: 8_192 });

/** Sizes of the thumbnails that are kept, pixels; others are scaled from them. */
export const THUMBNAIL_SIZES = Object.freeze({ small: 256, large: 1_024 });

/** Version of the pictures: raise it when the same file gives other pictures, and kept ones are drawn again. */
export const PICTURES_VERSION = 4;

/** Largest page number that is accepted. */
const MOST_PAGES = 1_000_000;

/** @throws TypeError or RangeError that names a wrong option. */
export function checkThumbnailOptions(options: Partial<ThumbnailOptions> | undefined): ThumbnailOptions {
  const { size, background, page } = withDefaults('thumbnail options', options, DEFAULT_THUMBNAIL);
  checkInteger('thumbnail options.size', size, 16, 1024);
  if (page !== undefined) checkInteger('thumbnail options.page', page, 1, MOST_PAGES);
  if (background !== 'transparent' && background !== 'white') {
    throw new RangeError(
      `thumbnail options.background must be 'transparent' or 'white', received ${String(background)}`,
    );
  }
  return { size, background, page };
}

/** @throws TypeError or RangeError that names a wrong option. */
export function checkPageImageOptions(options: Partial<PageImageOptions> | undefined): PageImageOptions {
  const { page, width } = withDefaults('page image options', options, DEFAULT_PAGE_IMAGE);
  if (page !== undefined) checkInteger('page image options.page', page, 1, MOST_PAGES);
  checkInteger('page image options.width', width, 16, PAGE_IMAGE_LIMITS.width);
  return { page, width };
}
