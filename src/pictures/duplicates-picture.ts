import type { DuplicateGroup, DuplicateMember } from '../search/duplicates/duplicates-report.js';
import { contactSheet, type Tile } from './contact-sheet.js';
import { pictureTile } from './result-picture.js';

const COLUMNS = 5;
const TILE_SIZE = 200;
/** Most rows: a person looks through a sheet, and does not search it. */
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
    const shown = members
      .slice(0, 2 * COLUMNS)
      .map((member) => ({ member, caption: captionOf(member, `${i + 1}`, `${matchClass}, ${members.length} files`) }));
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

function captionOf({ matchClass, score, scale }: DuplicateMember, number: string, group: string): string {
  if (matchClass === null) return `${number}: ${group}`;
  const detail =
    matchClass === 'scaled'
      ? ` × ${Number(scale.toPrecision(4))}`
      : matchClass === 'bytes'
        ? ''
        : `, ${score.toFixed(4)}`;
  return `${number}: ${matchClass}${detail}`;
}
