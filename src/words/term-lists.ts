import type { Database, Statement } from 'better-sqlite3';

/** A segment of the index: its pages, and those that name the rows deleted since it was written. */
interface Segment {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  readonly tombstonePages: number;
}

/** Where the list of a term begins: its page, and the offset there. */
interface ListStart {
  readonly page: number;
  readonly block: Uint8Array;
  readonly offset: number;
}

/**
 * Which files hold a word, read from the pages of an FTS5 table as they are stored. `SELECT` gives each row to a virtual machine and takes
 * 0.1 µs and more for it; here a row is a step of a loop: 55 000 of 110 000 files take 1.2 ms of processor instead of 7.
 *
 * The form is that of fts5_index.c, version 4 of the tables, which libraries of all releases of SQLite since 2023 share: a record of segments;
 * pages with a header of 4 bytes (first row, end of the lists), terms with what they share with the one before, lists of rows as differences,
 * and at the end the offsets of terms; tables of deleted rows by segment. Only for tables with `detail = none`, without content and with
 * `contentless_delete`, of one column. What looks otherwise is not guessed at: then nothing is told and FTS5 has to be asked.
 */
export class TermLists {
  readonly #structure: Statement<[], Uint8Array>;
  readonly #pageOf: Statement<[number, Uint8Array], number>;
  readonly #block: Statement<[number, number], Uint8Array>;
  readonly #database: Database;
  /** By segment, as they were when the record of segments was this. */
  readonly #deleted = new Map<number, DeletedRows>();
  #deletedAt: Uint8Array = new Uint8Array(0);

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#structure = database
      .prepare<[], Uint8Array>(`SELECT block FROM ${table}_data WHERE id = ${STRUCTURE_ID}`)
      .pluck();
    // A page's number stands one bit to the left.
    this.#pageOf = database
      .prepare<[number, Uint8Array], number>(
        `SELECT pgno >> 1 FROM ${table}_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1`,
      )
      .pluck();
    // Numbers come from JavaScript as real ones where they are large.
    this.#block = database
      .prepare<[number, number], Uint8Array>(
        `SELECT block FROM ${table}_data WHERE id = (CAST(? AS INTEGER) << ${SEGMENT_SHIFT}) + CAST(? AS INTEGER)`,
      )
      .pluck();
  }

  /**
   * A bit for each file, up to the last, that has a row with a term: u32[any]. Files are the lower 32 bits of the ids of rows. Undefined where that is
   * not told here: within a transaction, whose rows are not on pages yet, or where something is not of the known form.
   */
  marksOf(term: string): Uint32Array | undefined {
    const structure = this.#database.inTransaction ? undefined : this.#structure.get();
    const segments = structure && segmentsOf(structure);
    if (segments === undefined) return undefined;
    // The record counts all deleted rows: as long as it is the same, so are they.
    if (Buffer.compare(structure!, this.#deletedAt) !== 0) this.#deleted.clear();
    this.#deletedAt = structure!;
    const bytes = Buffer.from(MAIN_INDEX + term);
    const files = new FileMarks();
    for (const segment of segments) if (!this.#collect(segment, bytes, files)) return undefined;
    return files.bits;
  }

  /** False: not understood. */
  #collect(segment: Segment, term: Uint8Array, files: FileMarks): boolean {
    const page = Math.max(segment.first, this.#pageOf.get(segment.id, term) ?? 0);
    const block = this.#block.get(segment.id, page);
    if (block === undefined) return false;
    const offset = findTerm(block, term);
    if (offset === undefined) return true;
    const deleted = this.#deletedOf(segment);
    return deleted !== undefined && this.#readList(segment, { page, block, offset }, deleted, files);
  }

  #readList(
    { id, last }: Segment,
    { page, block, offset }: ListStart,
    deleted: DeletedRows,
    files: FileMarks,
  ): boolean {
    let at = offset;
    let end = nextTerm(block, offset);
    for (let number = page, bytes = block; ; ) {
      if (!files.read(bytes, at, end ?? endOfLists(bytes), deleted)) return false;
      // The list goes on as long as no other term begins.
      if (end !== undefined || ++number > last) return true;
      const following = this.#block.get(id, number);
      if (following === undefined) return false;
      bytes = following;
      at = HEADER_BYTES;
      end = nextTerm(bytes, 0);
    }
  }

  #deletedOf({ id, tombstonePages }: Segment): DeletedRows | undefined {
    if (tombstonePages > MOST_TOMBSTONE_PAGES) return undefined;
    const known = this.#deleted.get(id);
    if (known !== undefined) return known;
    const rows: Uint32Array[] = [];
    for (let page = 0; page < tombstonePages; page++) {
      const block = this.#block.get(TOMBSTONE_SEGMENTS + id, page);
      if (block === undefined || block.length < TOMBSTONE_HEADER) return undefined;
      const keyBytes = block[0];
      if (keyBytes !== 4 && keyBytes !== 8) return undefined;
      const view = new DataView(block.buffer, block.byteOffset, block.length);
      for (let at = TOMBSTONE_HEADER; at + keyBytes <= block.length; at += keyBytes) {
        const high = keyBytes === 4 ? 0 : view.getUint32(at),
          file = view.getUint32(at + keyBytes - 4);
        if (high + file === 0) continue; // An empty place.
        if (high >= MOST_CLASSES) return undefined;
        const marks = rows[high] ?? FIRST_MARKS;
        if (marks === FIRST_MARKS || file >>> 5 >= marks.length) rows[high] = roomFor(marks, file);
        rows[high][file >>> 5] |= 1 << (file & 31);
      }
    }
    this.#deleted.set(id, rows);
    return rows;
  }
}

const STRUCTURE_ID = 10;
/** Before the four bytes of version 2, which tells of deleted rows. */
const STRUCTURE_MARK = [0xff, 0x00, 0x00, 0x01];
const SEGMENT_SHIFT = 37;
/** Added to the number of a segment for its deleted rows. */
const TOMBSTONE_SEGMENTS = 2 ** 16;
const TOMBSTONE_HEADER = 8;
/** Some 60 000 rows; more are not worth reading for one question. */
const MOST_TOMBSTONE_PAGES = 128;
/** Before each term; other characters stand for indexes of prefixes. */
const MAIN_INDEX = '0';
const HEADER_BYTES = 4;
const MOST_SEGMENTS = 2_000;
const FILE_BITS = 2 ** 32;

/** All of them; undefined where the record is of another form. */
function segmentsOf(record: Uint8Array): Segment[] | undefined {
  if (!STRUCTURE_MARK.every((byte, i) => record[4 + i] === byte)) return undefined;
  const reader = new Reader(record, 8);
  const levels = reader.next(),
    count = reader.next();
  reader.next(); // Pages written so far.
  if (levels > MOST_SEGMENTS || count > MOST_SEGMENTS) return undefined;
  const segments: Segment[] = [];
  for (let level = 0; level < levels; level++) {
    reader.next(); // Segments that are being merged.
    for (let left = reader.next(); left > 0; left--) {
      const [id, first, last] = [reader.next(), reader.next(), reader.next()];
      reader.next(); // Which transactions it is of, from
      reader.next(); // and to.
      const tombstonePages = reader.next();
      reader.next(); // Rows that are deleted.
      reader.next(); // Rows.
      if (reader.isPastEnd) return undefined;
      // Of one that is merged to its end nothing is left.
      if (last > 0) segments.push({ id, first, last, tombstonePages });
    }
  }
  return reader.isPastEnd || segments.length > count ? undefined : segments;
}

/** Behind a term on a page, where its list begins; undefined where it is not there. Terms rise, each says how much it shares with the one before. */
function findTerm(block: Uint8Array, wanted: Uint8Array): number | undefined {
  const offsets = new Reader(block, endOfLists(block)),
    reader = new Reader(block, 0);
  let same = 0; // Bytes that the term before has in common with the wanted one.
  for (let at = 0; !offsets.isAtEnd; ) {
    const isFirst = at === 0;
    reader.at = at += offsets.next();
    const kept = isFirst ? 0 : reader.next();
    const length = reader.next();
    if (kept < same) return undefined; // It is above the wanted one already.
    if (kept > same) continue; // It differs where the one before does.
    const end = reader.at + length;
    let own = reader.at;
    while (own < end && same < wanted.length && block[own] === wanted[same]) {
      own++;
      same++;
    }
    if (own === end && same === wanted.length) return end;
    if (own < end && (same === wanted.length || block[own] > wanted[same])) return undefined;
  }
  return undefined;
}

/** Where the first term behind `from` begins; undefined where none does on this page. */
function nextTerm(block: Uint8Array, from: number): number | undefined {
  const offsets = new Reader(block, endOfLists(block));
  for (let at = 0; !offsets.isAtEnd; ) {
    at += offsets.next();
    if (at >= from) return at;
  }
  return undefined;
}

/** Where the lists of a page end and the offsets of its terms begin. */
function endOfLists(block: Uint8Array): number {
  return Math.min(block.length, 256 * block[2] + block[3]);
}

/** Numbers of variable length: 7 bits a byte, the highest first. */
class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  get isPastEnd(): boolean {
    return this.at > this.#bytes.length;
  }

  next(): number {
    let number = 0;
    for (;;) {
      const byte = this.#bytes[this.at++] ?? 0;
      number = 128 * number + (byte & 0x7f);
      if (byte < 0x80) return number;
    }
  }
}

/** Marks files from lists of rows. */
class FileMarks {
  bits: Uint32Array = new Uint32Array(FIRST_MARKS.length);

  /**
   * Reads rows from a part of a page: the first in full, then differences. False where a difference is 0, which marks rows of a kind that these
   * tables do not have.
   */
  read(bytes: Uint8Array, start: number, end: number, deleted: DeletedRows): boolean {
    let bits = this.bits;
    let row = 0,
      high = 0;
    let gone = deleted[0] ?? NONE;
    for (let at = start; at < end; ) {
      let byte = bytes[at++];
      let step = byte & 0x7f;
      while (byte >= 0x80) {
        byte = bytes[at++] ?? 0;
        step = 128 * step + (byte & 0x7f);
      }
      if (step === 0) return false;
      row += step;
      if (row - high >= FILE_BITS) {
        high = row - (row % FILE_BITS);
        gone = deleted[high / FILE_BITS] ?? NONE;
      }
      const file = row - high,
        word = file >>> 5,
        bit = 1 << (file & 31);
      if (word < gone.length && (gone[word] & bit) !== 0) continue;
      if (word >= bits.length) bits = this.bits = roomFor(bits, file);
      bits[word] |= bit;
    }
    return true;
  }
}

/** A bit for each file of deleted rows, by the upper bits of the rows' ids. */
type DeletedRows = readonly (Uint32Array | undefined)[];

/** Upper bits are classes of length. */
const MOST_CLASSES = 4_096;

const FIRST_MARKS = new Uint32Array(1_024);
const NONE = new Uint32Array(0);

/** Marks with room for a file: other ones where they are too small or nobody's. */
function roomFor(marks: Uint32Array, file: number): Uint32Array {
  if (file >>> 5 < marks.length && marks !== FIRST_MARKS) return marks;
  const grown = new Uint32Array(
    Math.max(file >>> 5 < marks.length ? marks.length : 2 * marks.length, (file >>> 5) + 1),
  );
  grown.set(marks);
  return grown;
}
