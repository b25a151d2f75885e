import { EngineError } from '../errors.js';
import type { SearchHit, SearchResult } from '../search/query/query.js';
import { contactSheet, type Tile } from './contact-sheet.js';

/** What a picture of a result is made from. */
export interface ResultPictureParts {
  readonly result: SearchResult;
  /** Draws the first input of the query on a square of this many pixels; undefined where there is none. */
  readonly drawQuery: ((size: number) => Promise<Uint8Array>) | undefined;
  readonly drawHit: (uid: string, size: number) => Promise<Uint8Array>;
}

const COLUMNS = 5;
const TILE_SIZE = 200;
/** Most hits: four rows with the query. */
const MOST_HITS = 4 * COLUMNS - 1;

/**
 * One PNG of the query and its first hits, each with name, rank, similarity and match class. A part that cannot be
 * drawn leaves an empty tile with the reason in its caption.
 */
export async function resultPicture({ result, drawQuery, drawHit }: ResultPictureParts): Promise<Uint8Array> {
  const hits = result.hits.slice(0, MOST_HITS);
  const tiles = await Promise.all([
    ...(drawQuery === undefined
      ? []
      : [pictureTile('query', sizeOf(result.inputs[0]?.bboxSizeMm), drawQuery(TILE_SIZE))]),
    ...hits.map((hit, i) => pictureTile(hit.displayName, `${i + 1}: ${captionOf(hit)}`, drawHit(hit.uid, TILE_SIZE))),
  ]);
  return contactSheet(tiles, { columns: COLUMNS, tileSize: TILE_SIZE });
}

function captionOf({ similarity, matchClass, kind }: SearchHit): string {
  return similarity === null ? kind : `${similarity.toFixed(1)} %, ${matchClass}`;
}

/** A tile with a picture, or with the reason in its caption where it cannot be drawn. */
export async function pictureTile(title: string, caption: string, drawing: Promise<Uint8Array>): Promise<Tile> {
  try {
    return { title, caption, png: await drawing };
  } catch (cause) {
    if (!(cause instanceof EngineError) || cause.code === 'ABORTED' || cause.code === 'ENGINE_CLOSED') throw cause;
    return { title, caption: `${caption}; ${cause.code}` };
  }
}

function sizeOf(edgesMm: readonly number[] | null | undefined): string {
  return edgesMm === undefined || edgesMm === null
    ? ''
    : `${edgesMm.map((edge) => Number(edge.toPrecision(3))).join(' × ')} mm`;
}
