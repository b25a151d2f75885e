import { inflateRawSync } from 'node:zlib';
import { unpackText, unpackViews } from './packed-views.js';

/** The views of a file as they are stored. */
export interface CheckedRow {
  readonly fileId: number;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly places: string;
  readonly numbers: string;
  readonly extents: string;
  readonly pictures: Uint8Array | null;
  readonly inks: Uint8Array | null;
}

/** Most bytes of pictures or inks, unpacked, as in `unpackPictures`. */
const MOST_BYTES = 2 ** 26;

/**
 * Whether all of a row can be read: as many views and places as it says, numbers and extents that are lists, pictures
 * and inks that can be unpacked. One that cannot makes searches by other files fail, whose hit it is.
 * viewBytes: of each view.
 */
export function isRowWhole(row: CheckedRow, viewBytes: number): boolean {
  const { count, bytes, places, numbers, extents, pictures, inks } = row;
  return (
    unpackViews(bytes).length === count * viewBytes &&
    listIn(unpackText(places))?.length === count &&
    listIn(numbers) !== undefined &&
    listIn(extents) !== undefined &&
    canBeUnpacked(pictures) &&
    canBeUnpacked(inks)
  );
}

function listIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    // Whoever reads the row says that it is damaged.
    return undefined;
  }
}

function canBeUnpacked(packed: Uint8Array | null): boolean {
  if (packed === null || packed.length === 0) return true;
  try {
    inflateRawSync(packed, { maxOutputLength: MOST_BYTES });
    return true;
  } catch {
    return false;
  }
}
