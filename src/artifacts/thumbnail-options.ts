import { checkInteger, withDefaults } from '../options.js';

/** How a thumbnail is drawn. */
export interface ThumbnailOptions {
  /** Pixels a side, 16 to 1024. Default 256. */
  readonly size: number;
  /** Default 'transparent'. */
  readonly background: 'transparent' | 'white';
}

/** Defaults of {@link ThumbnailOptions}. */
export const DEFAULT_THUMBNAIL: ThumbnailOptions = Object.freeze({ size: 256, background: 'transparent' });

/** @throws TypeError or RangeError that names a wrong option. */
export function checkThumbnailOptions(options: Partial<ThumbnailOptions> | undefined): ThumbnailOptions {
  const { size, background } = withDefaults('thumbnail options', options, DEFAULT_THUMBNAIL);
  checkInteger('thumbnail options.size', size, 16, 1024);
  if (background !== 'transparent' && background !== 'white') {
    throw new RangeError(`thumbnail options.background must be 'transparent' or 'white', received ${String(background)}`);
  }
  return { size, background };
}
