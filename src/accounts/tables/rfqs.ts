import type { Database } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { prepared } from '../../store/database/prepared.js';

/** A request for quotation: a file that a quote is wanted for. */
export interface Rfq {
  readonly id: string;
  readonly customQuoteId: string | null;
  readonly fileName: string;
  /** 'open' while chunks are missing. */
  readonly status: 'open' | 'complete';
  readonly receivedChunks: number;
  readonly totalChunks: number;
  /** Total size of the received chunks. */
  readonly byteLength: number;
  /** The file that was made from it; null until {@link Accounts.setRfqFile} is called. */
  readonly fileUid: string | null;
  readonly addedAt: Date;
}

/** A chunk whose blob is durable, to be entered. */
export interface ChunkEntry {
  readonly companyId: number;
  readonly id: string;
  readonly fileName: string;
  readonly customQuoteId: string | null;
  readonly chunk: number;
  readonly total: number;
  readonly hash: string;
  readonly byteLength: number;
  readonly now: number;
}

/** Bounds on what one company may store. */
export interface RfqLimits {
  /** Most requests that wait for chunks. */
  readonly openRfqs: number;
  /** Largest file, all chunks together, bytes. */
  readonly fileBytes: number;
}

interface RfqRow extends Omit<Rfq, 'status' | 'addedAt'> {
  readonly number: number;
  readonly addedAt: number;
}

const RFQ = `
  SELECT number, id, custom_quote_id AS customQuoteId, file_name AS fileName, total_chunks AS totalChunks, file_uid AS fileUid, added_at AS addedAt,
    (SELECT count(*) FROM rfq_chunk WHERE rfq_number = number) AS receivedChunks,
    (SELECT coalesce(sum(byte_length), 0) FROM rfq_chunk WHERE rfq_number = number) AS byteLength
  FROM rfq`;

/**
 * Requests for quotation. Writing methods run inside a transaction of the caller.
 * @internal
 */
export class Rfqs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(companyId: number, id: string): Rfq | undefined {
    const row = this.#row(companyId, id);
    return row === undefined ? undefined : rfqOf(row);
  }

  /** The blobs of the chunks, in their order. */
  chunks(companyId: number, id: string): string[] {
    return this.#database
      .prepare<[number, string], string>(
        'SELECT blob_hash FROM rfq_chunk JOIN rfq ON number = rfq_number WHERE company_id = ? AND id = ? ORDER BY chunk',
      )
      .pluck()
      .all(companyId, id);
  }

  /** Whether a chunk of any request has these bytes. */
  refers(hash: string): boolean {
    return (
      prepared<[string], unknown>(this.#database, 'SELECT 1 FROM rfq_chunk WHERE blob_hash = ? LIMIT 1').get(hash) !==
      undefined
    );
  }

  /** The blobs of all chunks of all companies, each once. */
  blobs(): { readonly hash: string; readonly byteLength: number }[] {
    return prepared<[], { hash: string; byteLength: number }>(
      this.#database,
      'SELECT DISTINCT blob_hash AS hash, byte_length AS byteLength FROM rfq_chunk',
    ).all();
  }

  /** The requests with a chunk of these bytes: their ids, and the names of their files. */
  owners(hash: string): { readonly uid: string; readonly path: string; readonly company: string }[] {
    return prepared<[string], { uid: string; path: string; company: string }>(
      this.#database,
      `SELECT rfq.id AS uid, file_name AS path, company.name AS company FROM rfq_chunk JOIN rfq ON number = rfq_number
       JOIN company ON company.id = company_id WHERE blob_hash = ? ORDER BY rfq.id`,
    ).all(hash);
  }

  /**
   * Enters a chunk, with its request when it is the first. A chunk may come again while the request is open (the last
   * one counts), and afterwards if its bytes are the same. Returns blobs that may have no owner any more.
   * @throws EngineError `CONFLICT`, `LIMIT_EXCEEDED`.
   */
  putChunk(entry: ChunkEntry, limits: RfqLimits): { rfq: Rfq; dropped: string[] } {
    const { companyId, id, chunk, total, hash, byteLength } = entry;
    const { number, ...before } = this.#row(companyId, id) ?? this.#add(entry, limits);
    const details = { what: 'rfq', id };
    if (before.totalChunks !== total) {
      throw new EngineError(
        'CONFLICT',
        `the request ${id} has ${before.totalChunks} chunks in all, received one of ${total}`,
        { details },
      );
    }
    const known = this.#database
      .prepare<[number, number], { hash: string; byteLength: number }>(
        'SELECT blob_hash AS hash, byte_length AS byteLength FROM rfq_chunk WHERE rfq_number = ? AND chunk = ?',
      )
      .get(number, chunk);
    if (known?.hash === hash) return { rfq: rfqOf({ number, ...before }), dropped: [] };
    if (before.receivedChunks === total)
      throw new EngineError(
        'CONFLICT',
        `the request ${id} is complete; chunk ${chunk} is another than the one it has`,
        { details },
      );
    // Numbered from 0 or from 1, but not both.
    const otherEnd = chunk === 0 ? total : chunk === total ? 0 : undefined;
    if (otherEnd !== undefined && this.#has(number, otherEnd)) {
      throw new EngineError(
        'CONFLICT',
        `the request ${id} has a chunk ${otherEnd}, so that there is no chunk ${chunk} of ${total}`,
        { details },
      );
    }
    const found = before.byteLength - (known?.byteLength ?? 0) + byteLength;
    if (found > limits.fileBytes) {
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `the chunks of ${id} have ${found} bytes, allowed are ${limits.fileBytes} (limits.fileBytes)`,
        {
          details: { limit: 'fileBytes', allowed: limits.fileBytes, found },
        },
      );
    }
    this.#database
      .prepare('INSERT OR REPLACE INTO rfq_chunk (rfq_number, chunk, blob_hash, byte_length) VALUES (?, ?, ?, ?)')
      .run(number, chunk, hash, byteLength);
    return { rfq: this.find(companyId, id)!, dropped: known === undefined ? [] : [known.hash] };
  }

  /** False: there is none of this id. */
  setFile(companyId: number, id: string, fileUid: string): boolean {
    return (
      this.#database.prepare('UPDATE rfq SET file_uid = ? WHERE company_id = ? AND id = ?').run(fileUid, companyId, id)
        .changes > 0
    );
  }

  /** Blobs that may have no owner any more; undefined when no request has this id. */
  remove(companyId: number, id: string): string[] | undefined {
    const dropped = this.chunks(companyId, id);
    const { changes } = this.#database.prepare('DELETE FROM rfq WHERE company_id = ? AND id = ?').run(companyId, id);
    return changes === 0 ? undefined : dropped;
  }

  #add({ companyId, id, customQuoteId, fileName, total, now }: ChunkEntry, { openRfqs }: RfqLimits): RfqRow {
    if (total > 1 && this.#countOpen(companyId) >= openRfqs) {
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `${openRfqs} requests of the company wait for chunks; no more are allowed (accounts.openRfqs)`,
        {
          details: { limit: 'openRfqs', allowed: openRfqs, found: openRfqs + 1 },
        },
      );
    }
    this.#database
      .prepare(
        'INSERT INTO rfq (company_id, id, custom_quote_id, file_name, total_chunks, added_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(companyId, id, customQuoteId, fileName, total, now);
    return this.#row(companyId, id)!;
  }

  #row(companyId: number, id: string): RfqRow | undefined {
    return this.#database
      .prepare<[number, string], RfqRow>(`${RFQ} WHERE company_id = ? AND id = ?`)
      .get(companyId, id);
  }

  #has(number: number, chunk: number): boolean {
    return (
      this.#database.prepare('SELECT 1 FROM rfq_chunk WHERE rfq_number = ? AND chunk = ?').get(number, chunk) !==
      undefined
    );
  }

  #countOpen(companyId: number): number {
    return this.#database
      .prepare<[number], number>(
        `SELECT count(*) FROM rfq WHERE company_id = ? AND total_chunks > 1
           AND total_chunks > (SELECT count(*) FROM rfq_chunk WHERE rfq_number = number)`,
      )
      .pluck()
      .get(companyId) as number;
  }
}

function rfqOf({ number: _, ...row }: RfqRow): Rfq {
  return {
    ...row,
    status: row.receivedChunks === row.totalChunks ? 'complete' : 'open',
    addedAt: new Date(row.addedAt),
  };
}
