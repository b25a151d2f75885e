import type { Database, Statement } from 'better-sqlite3';
import {
  LISTED_KINDS,
  type CategoryFiles,
  type FoundFile,
  type SearchableDoor,
  type SearchableList,
} from '../catalogue.js';
import { firstNotBelow, parseIds, readIds, readNumbers } from '../database/id-lists.js';

/** Rows read at a time. */
const PAGE_ROWS = 4_096;
/** Files listed at a time: some 40 ms. */
const LISTED_ROWS = 65_536;
const ZERO = 0x30;

interface ListedRow {
  readonly ids: Uint8Array | null;
  readonly kinds: Uint8Array | null;
  readonly times: Uint8Array | null;
}

/** Reads which files are searchable, which categories they belong to, and the order of their paths. */
export class Searchable implements SearchableDoor {
  readonly #page: Statement<[number, number], ListedRow>;
  readonly #one: Statement<[number], FoundFile>;
  readonly #ofCategories: Statement<[number], { categoryId: number; list: Uint8Array | null }>;
  readonly #pathPage: Statement<[number, string], { fileId: number; path: string }>;
  readonly #sorted: Statement<[string, number, number], number>;

  constructor(database: Database) {
    // Three texts for all: a row of each file costs a crossing into JavaScript, 1 µs.
    const kindNumbers = LISTED_KINDS.map((kind, number) => `WHEN '${kind}' THEN ${number}`).join(' ');
    this.#page = database.prepare(`
      SELECT CAST(group_concat(id) AS BLOB) AS ids, CAST(group_concat(CASE kind ${kindNumbers} END, '') AS BLOB) AS kinds,
        CAST(group_concat(coalesce(indexed_at, 0)) AS BLOB) AS times
      FROM (SELECT id, kind, indexed_at FROM file INDEXED BY file_by_arrival
        WHERE company_id = ? AND id > ? AND state = 'indexed' ORDER BY id LIMIT ${LISTED_ROWS})`);
    this.#one = database.prepare(`SELECT id AS fileId, uid, kind FROM file WHERE id = ? AND state = 'indexed'`);
    // One text with all ids is fetched much faster than one row per id.
    this.#ofCategories = database.prepare(`
      SELECT category.id AS categoryId, (SELECT CAST(group_concat(id) AS BLOB) FROM file
        WHERE category_id = category.id) AS list
      FROM category WHERE company_id = ? ORDER BY category.id`);
    this.#pathPage = database.prepare(
      `SELECT id AS fileId, path FROM file WHERE company_id = ? AND path > ? ORDER BY path LIMIT ${PAGE_ROWS}`,
    );
    this.#sorted = database
      .prepare<[string, number, number], number>(`
      SELECT id FROM file WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path LIMIT ? OFFSET ?`)
      .pluck();
  }

  async after(companyId: number, after: number): Promise<SearchableList> {
    const { ids, kinds, times } = this.#page.get(companyId, after)!;
    const fileIds = readIds([ids]);
    return {
      fileIds,
      kinds: Uint8Array.from(kinds ?? [], (digit) => digit - ZERO),
      indexedAt: readNumbers(times, fileIds.length),
    };
  }

  async some(fileIds: readonly number[]): Promise<ReadonlyMap<number, FoundFile>> {
    return new Map(fileIds.flatMap((fileId) => this.#one.get(fileId) ?? []).map((file) => [file.fileId, file]));
  }

  async ofCategories(companyId: number): Promise<CategoryFiles[]> {
    return this.#ofCategories.all(companyId).map(({ categoryId, list }) => ({ categoryId, fileIds: parseIds([list]) }));
  }

  async inPathOrder(
    companyId: number,
    fileIds: Uint32Array,
    { limit, offset, files }: { readonly limit: number; readonly offset: number; readonly files: number },
  ): Promise<number[]> {
    if (offset >= fileIds.length) return [];
    // Few files are sorted. For many, walking all files in the order of their paths reaches the page sooner.
    const walked = (offset + limit) * (files / fileIds.length);
    if (fileIds.length <= walked) return this.#sorted.all(`[${fileIds.join()}]`, limit, offset);
    const page: number[] = [];
    for (let last = '', passed = 0; ; ) {
      const rows = this.#pathPage.all(companyId, last);
      for (const { fileId } of rows) {
        if (fileIds[firstNotBelow(fileIds, fileId)] !== fileId || passed++ < offset) continue;
        page.push(fileId);
        if (page.length === limit) return page;
      }
      if (rows.length < PAGE_ROWS) return page;
      last = rows[rows.length - 1].path;
    }
  }
}
