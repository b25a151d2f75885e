import { sharesOf, type Sheet, type SheetPicture } from '../content/sheet.js';
import { splitPicture } from './picture-views.js';
import type { Shapelet } from './shapelet.js';

/** A scan covers at least this share of its page; a sheet with more strokes is no scan, whatever lies below them. */
const LEAST_COVER = 0.5;
const MOST_STROKES = 20;

/** The picture of a sheet that is nothing but a scan of a page: one large picture, hardly a stroke. Undefined for other sheets. */
export function scanOf({ width, height, strokes, pictures }: Sheet): SheetPicture | undefined {
  if (strokes.count > MOST_STROKES) return undefined;
  const cover = ({ box }: SheetPicture): number => (box.width * box.height) / (width * height);
  const largest = pictures.reduce<SheetPicture | undefined>((best, picture) => (best === undefined || cover(picture) > cover(best) ? picture : best), undefined);
  return largest !== undefined && cover(largest) >= LEAST_COVER ? largest : undefined;
}

/** Views on a sheet that is a scan, by {@link splitPicture}; their boxes and sizes are shares of the sheet. Empty for other sheets. */
export function splitScan(sheet: Sheet): Shapelet[] {
  const scan = scanOf(sheet);
  if (scan === undefined) return [];
  const { box: on, picture } = scan;
  const longer = Math.max(sheet.width, sheet.height);
  // A picture's sizes are shares of its own longer side.
  const scale = Math.max(picture.widthPx, picture.heightPx);
  const share = (pixels: number): [number, number] => [(pixels * on.width) / picture.widthPx / longer, (pixels * on.height) / picture.heightPx / longer];
  return splitPicture(picture, sheet.number).map((shapelet) => {
    if (shapelet.place.kind !== 'page') return shapelet;
    const { box, page } = shapelet.place;
    const place = {
      kind: 'page' as const,
      page,
      box: sharesOf(sheet, { x: on.x + box.x * on.width, y: on.y + box.y * on.height, width: box.width * on.width, height: box.height * on.height }),
    };
    return { ...shapelet, place, size: [share(shapelet.size[0] * scale)[0], share(shapelet.size[1] * scale)[1]] as const };
  });
}
