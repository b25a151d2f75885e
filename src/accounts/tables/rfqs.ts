import { EngineError } from '../../errors.js';
import { dated, type Row, type Sql } from './sql.js';

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
  /** Who asked; null: nobody was named. */
  readonly owner: string | null;
  /** The file that was made from it; null until {@link Accounts.setRfqFile} is called. */
  readonly fileUid: string | null;
  readonly addedAt: Date;
}

/** A chunk whose blob is durable, to be entered. */
export interface ChunkEntry {
  readonly companyId: number;
  readonly id: string;
  readonly owner: string | null;
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
  /** Most requests of one user, and bytes of their files together. */
  readonly rfqsPerUser: number;
  readonly rfqBytesPerUser: number;
  /** Most requests that wait for chunks, and those of one user. */
  readonly openRfqs: number;
  readonly openRfqsPerUser: number;
  /** Largest file, all chunks together, bytes. */
  readonly fileBytes: number;
}

interface RfqRow extends Row<Omit<Rfq, 'status'>> {
  readonly number: number;
}

interface Chunk {
  readonly hash: string;
  readonly byteLength: number;
}

const RFQ = `
  SELECT number, id, custom_quote_id AS customQuoteId, file_name AS fileName, total_chunks AS totalChunks,
    owner, file_uid AS fileUid, added_at AS addedAt,
    (SELECT count(*) FROM rfq_chunk WHERE rfq_number = number) AS receivedChunks,
    (SELECT coalesce(sum(byte_length), 0) FROM rfq_chunk WHERE rfq_number = number) AS byteLength
  FROM rfq`;

/**
 * Requests for quotation.
 * @internal
 */
export class Rfqs {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(companyId: number, id: string): Promise<Rfq | undefined> {
    return this.#find(companyId, id);
  }

  /** The blobs of the chunks, in their order. */
  async chunks(companyId: number, id: string): Promise<string[]> {
    return this.#chunks(companyId, id);
  }

  /** Whether a chunk of any request has these bytes. */
  refers(hash: string): boolean {
    return this.#sql.get('SELECT 1 FROM rfq_chunk WHERE blob_hash = ? LIMIT 1', hash) !== undefined;
  }

  /** The blobs of all chunks of all companies, each once. */
  blobs(): Chunk[] {
    return this.#sql.all('SELECT DISTINCT blob_hash AS hash, byte_length AS byteLength FROM rfq_chunk');
  }

  /** The requests with a chunk of these bytes: their ids, and the names of their files. */
  owners(hash: string): { readonly uid: string; readonly path: string; readonly company: string }[] {
    return this.#sql.all(
      `SELECT rfq.id AS uid, file_name AS path, company.name AS company FROM rfq_chunk JOIN rfq ON number = rfq_number
       JOIN company ON company.id = company_id WHERE blob_hash = ? ORDER BY rfq.id`,
      hash,
    );
  }

  /**
   * Enters a chunk, with its request when it is the first. A chunk may come again while the request is open (the last
   * one counts), and afterwards if its bytes are the same. Returns blobs that may have no owner any more. Call in the
   * transaction that gives the blob its owner.
   * @throws EngineError `CONFLICT`, `LIMIT_EXCEEDED`, `NOT_ALLOWED` for a user who has too many.
   */
  putChunk(entry: ChunkEntry, limits: RfqLimits): { rfq: Rfq; dropped: string[] } {
    const { companyId, id, chunk, total, hash, byteLength } = entry;
    const before = this.#row(companyId, id) ?? this.#add(entry, limits);
    const conflict = (message: string): EngineError =>
      new EngineError('CONFLICT', message, { details: { what: 'rfq', id } });
    if (before.owner !== null && before.owner !== entry.owner) throw conflict(`the request ${id} is somebody else's`);
    if (before.totalChunks !== total)
      throw conflict(`the request ${id} has ${before.totalChunks} chunks in all, received one of ${total}`);
    const known = this.#chunk(before.number, chunk);
    if (known?.hash === hash) return { rfq: rfqOf(before), dropped: [] };
    if (before.receivedChunks === total)
      throw conflict(`the request ${id} is complete; chunk ${chunk} is another than the one it has`);
    // Numbered from 0 or from 1, but not both.
    const otherEnd = chunk === 0 ? total : chunk === total ? 0 : undefined;
    if (otherEnd !== undefined && this.#chunk(before.number, otherEnd) !== undefined)
      throw conflict(`the request ${id} has a chunk ${otherEnd}, so that there is no chunk ${chunk} of ${total}`);
    const found = before.byteLength - (known?.byteLength ?? 0) + byteLength;
    if (found > limits.fileBytes)
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `the chunks of ${id} have ${found} bytes, allowed are ${limits.fileBytes} (limits.fileBytes)`,
        { details: { limit: 'fileBytes', allowed: limits.fileBytes, found } },
      );
    this.#checkBytes(entry, limits);
    this.#sql.run('INSERT OR REPLACE INTO rfq_chunk (rfq_number, chunk, blob_hash, byte_length) VALUES (?, ?, ?, ?)', [
      before.number,
      chunk,
      hash,
      byteLength,
    ]);
    return { rfq: this.#find(companyId, id)!, dropped: known === undefined ? [] : [known.hash] };
  }

  /** Undefined: there is none of this id. */
  setFile(companyId: number, id: string, fileUid: string): Promise<Rfq | undefined> {
    return this.#sql.commit(() => {
      this.#sql.run('UPDATE rfq SET file_uid = ? WHERE company_id = ? AND id = ?', [fileUid, companyId, id]);
      return this.#find(companyId, id);
    });
  }

  /** Blobs that may have no owner any more; undefined when no request has this id. */
  remove(companyId: number, id: string): Promise<string[] | undefined> {
    return this.#sql.commit(() => {
      const dropped = this.#chunks(companyId, id);
      const changed = this.#sql.run('DELETE FROM rfq WHERE company_id = ? AND id = ?', [companyId, id]);
      return changed === 0 ? undefined : dropped;
    });
  }

  #add(
    { companyId, id, owner, customQuoteId, fileName, total, now }: ChunkEntry,
    { openRfqs, openRfqsPerUser, rfqsPerUser }: RfqLimits,
  ): RfqRow {
    const { held } = this.#sql.get<{ held: number }>(
      'SELECT count(*) AS held FROM rfq WHERE company_id = ? AND owner = ?',
      [companyId, owner],
    )!;
    if (held >= rfqsPerUser)
      throw new EngineError(
        'NOT_ALLOWED',
        `the user has ${held} requests for quotation, allowed are ${rfqsPerUser} (accounts.rfqsPerUser): remove some`,
        { details: { limit: 'rfqsPerUser', allowed: rfqsPerUser, found: held + 1 } },
      );
    if (total > 1 && owner !== null && this.#countOpen(companyId, owner) >= openRfqsPerUser)
      throw new EngineError(
        'NOT_ALLOWED',
        `${openRfqsPerUser} requests of the user wait for chunks; no more are allowed (accounts.openRfqsPerUser)`,
        { details: { limit: 'openRfqsPerUser', allowed: openRfqsPerUser, found: openRfqsPerUser + 1 } },
      );
    if (total > 1 && this.#countOpen(companyId, null) >= openRfqs)
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `${openRfqs} requests of the company wait for chunks; no more are allowed (accounts.openRfqs)`,
        { details: { limit: 'openRfqs', allowed: openRfqs, found: openRfqs + 1 } },
      );
    this.#sql.run(
      `INSERT INTO rfq (company_id, id, owner, custom_quote_id, file_name, total_chunks, added_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [companyId, id, owner, customQuoteId, fileName, total, now],
    );
    return this.#row(companyId, id)!;
  }

  #checkBytes({ companyId, owner, byteLength }: ChunkEntry, { rfqBytesPerUser: allowed }: RfqLimits): void {
    const { bytes } = this.#sql.get<{ bytes: number }>(
      `SELECT coalesce(sum(byte_length), 0) AS bytes FROM rfq_chunk JOIN rfq ON number = rfq_number
       WHERE company_id = ? AND owner = ?`,
      [companyId, owner],
    )!;
    const found = bytes + byteLength;
    if (found > allowed)
      throw new EngineError(
        'NOT_ALLOWED',
        `the user's requests for quotation have ${found} bytes, allowed are ${allowed} (accounts.rfqBytesPerUser): remove some`,
        { details: { limit: 'rfqBytesPerUser', allowed, found } },
      );
  }

  #find(companyId: number, id: string): Rfq | undefined {
    const row = this.#row(companyId, id);
    return row && rfqOf(row);
  }

  #row(companyId: number, id: string): RfqRow | undefined {
    return this.#sql.get(`${RFQ} WHERE company_id = ? AND id = ?`, [companyId, id]);
  }

  #chunk(number: number, chunk: number): Chunk | undefined {
    return this.#sql.get(
      'SELECT blob_hash AS hash, byte_length AS byteLength FROM rfq_chunk WHERE rfq_number = ? AND chunk = ?',
      [number, chunk],
    );
  }

  #chunks(companyId: number, id: string): string[] {
    return this.#sql
      .all<Chunk>(
        `SELECT blob_hash AS hash FROM rfq_chunk JOIN rfq ON number = rfq_number
         WHERE company_id = ? AND id = ? ORDER BY chunk`,
        [companyId, id],
      )
      .map(({ hash }) => hash);
  }

  /** owner: null for all. */
  #countOpen(companyId: number, owner: string | null): number {
    return this.#sql.get<{ open: number }>(
      `SELECT count(*) AS open FROM rfq WHERE company_id = @companyId AND total_chunks > 1
         AND (@owner IS NULL OR owner = @owner) AND total_chunks > (SELECT count(*) FROM rfq_chunk WHERE rfq_number = number)`,
      { companyId, owner },
    )!.open;
  }
}

function rfqOf({ number: _, ...row }: RfqRow): Rfq {
  return { ...dated(row), status: row.receivedChunks === row.totalChunks ? 'complete' : 'open' };
}
