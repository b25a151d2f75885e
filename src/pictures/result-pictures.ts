import { EngineError } from '../errors.js';
import type { SearchHit, SearchResult } from '../search/query/query.js';
import type { DuplicateGroup, DuplicateMember } from '../search/duplicates/duplicates-report.js';
import { contactSheet, type Tile } from './contact-sheet.js';

/** What a picture of a result is made from. */
export interface ResultPictureParts {
  readonly result: SearchResult;
  /** Draws the first input of the query on a square of this many pixels; undefined where there is none. */
  readonly drawQuery: ((size: number) => Promise<Uint8Array>) | undefined;
  readonly drawHit: (hit: SearchHit, size: number) => Promise<Uint8Array>;
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
    ...hits.map((hit, i) => pictureTile(hit.displayName, `${i + 1}: ${captionOf(hit)}`, drawHit(hit, TILE_SIZE))),
  ]);
  return contactSheet(tiles, { columns: COLUMNS, tileSize: TILE_SIZE });
}

function captionOf({ similarity, matchClass, kind }: SearchHit): string {
  return similarity === null ? kind : `${similarity.toFixed(1)} %, ${matchClass}`;
}

/** A tile with a picture, or with the reason in its caption where it cannot be drawn. */
async function pictureTile(title: string, caption: string, drawing: Promise<Uint8Array>): Promise<Tile> {
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

/** Most rows, so that a person can read the sheet. */
const MOST_ROWS = 40;

/**
 * One PNG of groups of equal files, each group starting a new row: the first ten files of a group, and as many groups
 * as fit 40 rows. A file that cannot be drawn leaves an empty tile with the reason in its caption.
 */
export async function duplicatesPicture(
  groups: readonly DuplicateGroup[],
  draw: (uid: string, size: number) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const rows: { member: DuplicateMember; caption: string }[][] = [];
  for (const [i, { members, matchClass }] of groups.entries()) {
    const shown = members.slice(0, 2 * COLUMNS).map((member) => ({
      member,
      caption: captionOfMember(member, `${i + 1}`, `${matchClass}, ${members.length} files`),
    }));
    for (let first = 0; first < shown.length; first += COLUMNS) rows.push(shown.slice(first, first + COLUMNS));
    if (rows.length >= MOST_ROWS) break;
  }
  const tiles: Tile[] = [];
  for (const row of rows.slice(0, MOST_ROWS)) {
    tiles.push(
      ...(await Promise.all(
        row.map(({ member, caption }) => pictureTile(member.path, caption, draw(member.uid, TILE_SIZE))),
      )),
    );
    while (tiles.length % COLUMNS !== 0) tiles.push({ title: '', caption: '' });
  }
  return contactSheet(tiles.length === 0 ? [{ title: 'no duplicates', caption: '' }] : tiles, {
    columns: COLUMNS,
    tileSize: TILE_SIZE,
  });
}

function captionOfMember({ matchClass, score, scale }: DuplicateMember, number: string, group: string): string {
  if (matchClass === null) return `${number}: ${group}`;
  const detail =
    matchClass === 'scaled'
      ? ` × ${Number(scale.toPrecision(4))}`
      : matchClass === 'bytes'
        ? ''
        : `, ${score.toFixed(4)}`;
  return `${number}: ${matchClass}${detail}`;
}
