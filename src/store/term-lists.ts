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
 * 0.1 µs and more for it; here a row is a step of a loop: 55 000 of 110 000 files take 0.5 ms of processor instead of 5.
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

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#structure = database.prepare<[], Uint8Array>(`SELECT block FROM ${table}_data WHERE id = ${STRUCTURE_ID}`).pluck();
    // A page's number stands one bit to the left.
    this.#pageOf = database.prepare<[number, Uint8Array], number>(`SELECT pgno >> 1 FROM ${table}_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1`).pluck();
    // Numbers come from JavaScript as real ones where they are large.
    this.#block = database.prepare<[number, number], Uint8Array>(`SELECT block FROM ${table}_data WHERE id = (CAST(? AS INTEGER) << ${SEGMENT_SHIFT}) + CAST(? AS INTEGER)`).pluck();
  }

  /**
   * The lower 32 bits of the ids of the rows that hold a term, in no order; undefined where that is not told here: within a transaction, whose
   * rows are not on pages yet, or where something is not of the known form.
   */
  filesOf(term: string): Uint32Array | undefined {
    const structure = this.#database.inTransaction ? undefined : this.#structure.get();
    const segments = structure && segmentsOf(structure);
    if (segments === undefined) return undefined;
    const bytes = Buffer.from(MAIN_INDEX + term);
    const files = new FileList();
    for (const segment of segments) if (!this.#collect(segment, bytes, files)) return undefined;
    return files.ids;
  }

  /** False: not understood. */
  #collect(segment: Segment, term: Uint8Array, files: FileList): boolean {
    const page = Math.max(segment.first, this.#pageOf.get(segment.id, term) ?? 0);
    const block = this.#block.get(segment.id, page);
    if (block === undefined) return false;
    const offset = findTerm(block, term);
    if (offset === undefined) return true;
    const deleted = this.#deletedOf(segment);
    return deleted !== undefined && this.#readList(segment, { page, block, offset }, deleted, files);
  }

  #readList({ id, last }: Segment, { page, block, offset }: ListStart, deleted: Float64Array, files: FileList): boolean {
    let at = offset;
    let end = nextTerm(block, offset);
    let from = 0;
    for (let number = page, bytes = block; ;) {
      const next = files.read(bytes, at, end ?? endOfLists(bytes), deleted, from);
      if (next === undefined) return false;
      from = next;
      // The list goes on as long as no other term begins.
      if (end !== undefined || ++number > last) return true;
      const following = this.#block.get(id, number);
      if (following === undefined) return false;
      bytes = following;
      at = HEADER_BYTES;
      end = nextTerm(bytes, 0);
    }
  }

  /** Ids of rows, rising. */
  #deletedOf({ id, tombstonePages }: Segment): Float64Array | undefined {
    if (tombstonePages > MOST_TOMBSTONE_PAGES) return undefined;
    const rows: number[] = [];
    for (let page = 0; page < tombstonePages; page++) {
      const block = this.#block.get(TOMBSTONE_SEGMENTS + id, page);
      if (block === undefined || block.length < TOMBSTONE_HEADER) return undefined;
      const keyBytes = block[0];
      if (keyBytes !== 4 && keyBytes !== 8) return undefined;
      const view = new DataView(block.buffer, block.byteOffset, block.length);
      for (let at = TOMBSTONE_HEADER; at + keyBytes <= block.length; at += keyBytes) {
        const row = keyBytes === 4 ? view.getUint32(at) : 2 ** 32 * view.getUint32(at) + view.getUint32(at + 4);
        if (row !== 0) rows.push(row);
      }
    }
    return Float64Array.from(rows).sort();
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
  const levels = reader.next(), count = reader.next();
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

/** Behind a term on a page, where its list begins; undefined where it is not there. */
function findTerm(block: Uint8Array, wanted: Uint8Array): number | undefined {
  const offsets = new Reader(block, endOfLists(block));
  let term = new Uint8Array(0);
  for (let at = 0; !offsets.isAtEnd;) {
    const isFirst = at === 0;
    at += offsets.next();
    const reader = new Reader(block, at);
    const kept = isFirst ? 0 : reader.next();
    const length = reader.next();
    const own = block.subarray(reader.at, reader.at + length);
    const whole = new Uint8Array(kept + own.length);
    whole.set(term.subarray(0, kept));
    whole.set(own, kept);
    term = whole;
    const order = Buffer.compare(term, wanted);
    if (order === 0) return reader.at + length;
    if (order > 0) return undefined;
  }
  return undefined;
}

/** Where the first term behind `from` begins; undefined where none does on this page. */
function nextTerm(block: Uint8Array, from: number): number | undefined {
  const offsets = new Reader(block, endOfLists(block));
  for (let at = 0; !offsets.isAtEnd;) {
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

/** Collects files from lists of rows. */
class FileList {
  #ids = new Uint32Array(1_024);
  #count = 0;

  /** In the order of reading. */
  get ids(): Uint32Array {
    return this.#ids.subarray(0, this.#count);
  }

  /**
   * Reads rows from a part of a page: the first in full, then differences. deleted: rising, looked at from place `from` on. Returns the place
   * to go on from; undefined where a difference is 0, which marks rows of a kind that these tables do not have.
   */
  read(bytes: Uint8Array, start: number, end: number, deleted: Float64Array, from: number): number | undefined {
    this.#reserve(Math.max(0, end - start));
    const ids = this.#ids;
    let count = this.#count;
    let row = 0, high = 0, skipped = from;
    for (let at = start; at < end;) {
      let byte = bytes[at++];
      let step = byte & 0x7f;
      while (byte >= 0x80) {
        byte = bytes[at++] ?? 0;
        step = 128 * step + (byte & 0x7f);
      }
      if (step === 0) return undefined;
      row += step;
      if (row - high >= FILE_BITS) high = row - (row % FILE_BITS);
      while (skipped < deleted.length && deleted[skipped] < row) skipped++;
      if (deleted[skipped] !== row) ids[count++] = row - high;
    }
    this.#count = count;
    return skipped;
  }

  #reserve(more: number): void {
    if (this.#count + more <= this.#ids.length) return;
    const grown = new Uint32Array(2 * (this.#count + more));
    grown.set(this.#ids);
    this.#ids = grown;
  }
}
