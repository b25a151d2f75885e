import type { Database, Statement } from 'better-sqlite3';
import type { DuplicateDecision } from './duplicate-decision.js';
import { prepared } from '../database/prepared.js';
import type { FileKind, FileState } from './record.js';

/** The step of the catalogue that brings decisions about duplicates, and the pairs of parts that were compared. */
export const DUPLICATES_STEP = `
  -- By UID, so that a decision outlives new bytes of a file; it goes when the file is deleted.
  CREATE TABLE duplicate_decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    company_id INTEGER NOT NULL REFERENCES company (id),
    kind TEXT NOT NULL CHECK (kind IN ('different', 'keep')),
    uid TEXT NOT NULL,
    -- 'different': the greater of the two. 'keep': empty.
    other_uid TEXT NOT NULL,
    -- 'keep': the groups that it is about. 'different': empty.
    scope TEXT NOT NULL,
    last_arrival INTEGER NOT NULL,
    decided_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX duplicate_decision_once ON duplicate_decision (company_id, kind, uid, other_uid, scope);
  CREATE INDEX duplicate_decision_of_other ON duplicate_decision (company_id, other_uid);

  -- What comparing two parts gave: derived, and of use as long as the version and the prints of both surfaces are the same.
  CREATE TABLE compared_pair (
    first_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    second_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    prints TEXT NOT NULL,
    -- JSON in the form of who compared.
    match TEXT NOT NULL,
    PRIMARY KEY (first_id, second_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX compared_pair_by_second ON compared_pair (second_id);
`;

/** A decision to be stored. */
export type NewDecision = Pick<DuplicateDecision, 'kind' | 'uids' | 'of'>;

/** A file as the search for duplicates sees it. */
export interface DuplicateFile {
  readonly fileId: number;
  readonly uid: string;
  readonly path: string;
  readonly kind: FileKind;
  readonly state: FileState;
  readonly sha256: string;
  readonly byteLength: number;
  readonly addedAt: number;
  /** Null unless the file is indexed. */
  readonly indexedAt: number | null;
  readonly volumeMm3: number | null;
  readonly bboxVolumeMm3: number | null;
  readonly surfaceAreaMm2: number | null;
  readonly bboxSizeMm: readonly [number, number, number] | null;
}

type FileColumns = Omit<DuplicateFile, 'bboxSizeMm'> & {
  readonly length: number | null;
  readonly width: number | null;
  readonly height: number | null;
};

/** The result of comparing the parts in two files. */
export interface ComparedPair {
  readonly firstId: number;
  readonly secondId: number;
  /** Version of the comparison. */
  readonly version: number;
  /** Fingerprints of both surfaces; others mean that a surface changed since the comparison. */
  readonly prints: string;
  /** JSON. */
  readonly match: string;
}

interface DecisionRow {
  readonly id: number;
  readonly kind: DuplicateDecision['kind'];
  readonly uid: string;
  readonly other_uid: string;
  readonly scope: string;
  readonly last_arrival: number;
  readonly decided_at: number;
}

/** Rows read at a time. */
const PAGE_ROWS = 4_096;

/** Decisions about duplicates, and pairs that were compared. Writing methods run inside a transaction of the caller. */
export class Duplicates {
  readonly #database: Database;
  readonly #page: Statement<[number, string], FileColumns>;
  readonly #pair: Statement<[number, number, number, string], string>;

  constructor(database: Database) {
    this.#database = database;
    this.#page = database.prepare(`
      SELECT id AS fileId, uid, path, kind, state, blob_hash AS sha256, byte_length AS byteLength,
        added_at AS addedAt, indexed_at AS indexedAt, volume_mm3 AS volumeMm3,
        bbox_volume_mm3 AS bboxVolumeMm3, surface_area_mm2 AS surfaceAreaMm2, bbox_length_mm AS length,
          bbox_width_mm AS width, bbox_height_mm AS height
      FROM file WHERE company_id = ? AND path > ? ORDER BY path LIMIT ${PAGE_ROWS}`);
    this.#pair = database
      .prepare<[number, number, number, string], string>(
        'SELECT match FROM compared_pair WHERE first_id = ? AND second_id = ? AND version = ? AND prints = ?',
      )
      .pluck();
  }

  /** All files of a company, in whatever state, in the order of their paths. */
  *files(companyId: number): Generator<DuplicateFile, void, void> {
    for (let last = ''; ; ) {
      const rows = this.#page.all(companyId, last);
      for (const { length, width, height, ...file } of rows) {
        yield {
          ...file,
          bboxSizeMm: length === null || width === null || height === null ? null : [length, width, height],
        };
      }
      if (rows.length < PAGE_ROWS) return;
      last = rows[rows.length - 1].path;
    }
  }

  /** The stored result; undefined when the two were not compared, or have changed since. */
  pair({ firstId, secondId, version, prints }: Omit<ComparedPair, 'match'>): string | undefined {
    return this.#pair.get(firstId, secondId, version, prints);
  }

  /** Stores comparisons; those of deleted files are skipped. */
  putPairs(pairs: readonly ComparedPair[]): void {
    const put = prepared<[object], unknown>(
      this.#database,
      `
      INSERT OR REPLACE INTO compared_pair (first_id, second_id, version, prints, match)
      SELECT @firstId, @secondId, @version, @prints, @match
      WHERE EXISTS (SELECT 1 FROM file WHERE id = @firstId) AND EXISTS (SELECT 1 FROM file WHERE id = @secondId)`,
    );
    for (const pair of pairs) put.run(pair);
  }

  /** The decisions of a company, in the order in which they were made. */
  decisions(companyId: number): DuplicateDecision[] {
    return prepared<[number], DecisionRow>(
      this.#database,
      'SELECT * FROM duplicate_decision WHERE company_id = ? ORDER BY id',
    )
      .all(companyId)
      .map(decisionOf);
  }

  /** Stores decisions about existing files; a repeated decision replaces the former. */
  decide(companyId: number, decisions: readonly NewDecision[], now: number): DuplicateDecision[] {
    const lastArrival =
      prepared<[number], number | null>(this.#database, 'SELECT max(id) FROM file WHERE company_id = ?')
        .pluck()
        .get(companyId) ?? 0;
    const put = prepared<[object], DecisionRow>(
      this.#database,
      `
      INSERT OR REPLACE INTO duplicate_decision (company_id, kind, uid, other_uid, scope, last_arrival, decided_at)
      VALUES (@companyId, @kind, @uid, @other, @scope, @lastArrival, @now) RETURNING *`,
    );
    return decisions.map(({ kind, uids, of }) => {
      const [uid, other = ''] = [...uids].sort();
      return decisionOf(put.get({ companyId, kind, uid, other, scope: of ?? '', lastArrival, now })!);
    });
  }

  /** Deletes decisions; returns how many of them existed. */
  undo(companyId: number, ids: readonly number[]): number {
    const remove = prepared<[number, number], unknown>(
      this.#database,
      'DELETE FROM duplicate_decision WHERE company_id = ? AND id = ?',
    );
    return ids.reduce((sum, id) => sum + remove.run(companyId, id).changes, 0);
  }

  /** Deletes the decisions about a file that is being deleted. */
  forget(companyId: number, uid: string): void {
    prepared<[number, string], unknown>(
      this.#database,
      'DELETE FROM duplicate_decision WHERE company_id = ? AND uid = ?',
    ).run(companyId, uid);
    prepared<[number, string], unknown>(
      this.#database,
      'DELETE FROM duplicate_decision WHERE company_id = ? AND other_uid = ?',
    ).run(companyId, uid);
  }
}

function decisionOf({ id, kind, uid, other_uid, scope, last_arrival, decided_at }: DecisionRow): DuplicateDecision {
  return {
    id,
    kind,
    uids: other_uid === '' ? [uid] : [uid, other_uid],
    of: scope === '' ? null : (scope as DuplicateDecision['of']),
    decidedAt: new Date(decided_at),
    lastArrival: last_arrival,
  };
}
