import type { Sheet, SheetPicture } from '../content/sheet.js';

/** A scan covers at least this share of its page; a sheet with more strokes is no scan, whatever lies below them. */
const LEAST_COVER = 0.5;
const MOST_STROKES = 20;

/**
 * The picture of a sheet that is only a scan of a page: one large picture and hardly any strokes. Undefined for other
 * sheets.
 */
export function scanOf({ width, height, strokes, pictures }: Sheet): SheetPicture | undefined {
  if (strokes.count > MOST_STROKES) return undefined;
  const cover = ({ box }: SheetPicture): number => (box.width * box.height) / (width * height);
  const largest = pictures.reduce<SheetPicture | undefined>(
    (best, picture) => (best === undefined || cover(picture) > cover(best) ? picture : best),
    undefined,
  );
  return largest !== undefined && cover(largest) >= LEAST_COVER ? largest : undefined;
}
