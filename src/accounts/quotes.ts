import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { checkInteger } from '../options.js';
import type { Rfq } from './tables/rfqs.js';
import { checkBytes, checkGuid, checkOptionalText, checkText } from './checks.js';
import type { AccountParts } from './parts.js';

/** A request for quotation, or one chunk of it. */
export interface NewRfq {
  /** At most 100 characters. Absent: a new GUID is made; for a file in chunks, it may be absent only with the first. */
  readonly id?: string;
  /** At most 1 000 characters. */
  readonly fileName: string;
  /** The caller's own number, at most 200 characters. */
  readonly customQuoteId?: string;
  /** Who asks, by the caller's choice: the UID of a user. All chunks are of one owner. Default: nobody. */
  readonly owner?: string;
  /** The bytes of the file or of the chunk. */
  readonly bytes: Uint8Array;
  /**
   * Absent: `bytes` are the whole file. Chunks are numbered from 0 or from 1, come in any order and may be sent again.
   */
  readonly chunk?: { readonly number: number; readonly total: number };
}

const ID_LIMIT = 100;

/**
 * Requests for quotation.
 * @internal
 */
export class Quotes {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  async put(company: string, rfq: NewRfq): Promise<Rfq> {
    const { store, options, fileBytesLimit } = this.#parts;
    const { id: companyId } = await this.#parts.company(company);
    const id = rfq.id === undefined ? randomUUID() : checkText('rfq.id', rfq.id, { least: 1, most: ID_LIMIT });
    const fileName = checkText('rfq.fileName', rfq.fileName, { least: 1, most: 1_000 });
    const customQuoteId = checkOptionalText('rfq.customQuoteId', rfq.customQuoteId, { most: 200 }) ?? null;
    const owner = checkOptionalText('rfq.owner', rfq.owner, { most: 200 }) ?? null;
    const { number: chunk, total } = rfq.chunk ?? { number: 1, total: 1 };
    checkInteger('rfq.chunk.total', total, 1, options.rfqChunks);
    checkInteger('rfq.chunk.number', chunk, 0, total);
    const bytes = checkBytes('rfq.bytes', rfq.bytes, { least: 1, most: Number.MAX_SAFE_INTEGER });
    return this.#parts.write(async ({ rfqs }) => {
      const entered = await store.owned.put(bytes, (blob) =>
        rfqs.putChunk(
          { companyId, id, owner, fileName, customQuoteId, chunk, total, now: options.now(), ...blob },
          { ...options, fileBytes: fileBytesLimit },
        ),
      );
      await store.owned.removeUnowned(entered.dropped);
      return entered.rfq;
    });
  }

  /** The file, joined from its chunks. */
  async bytes(company: string, id: string): Promise<Uint8Array> {
    const { id: companyId } = await this.#parts.company(company);
    const rfq = await this.#parts.records.rfqs.find(companyId, id);
    if (rfq === undefined) throw unknown(id);
    if (rfq.status !== 'complete')
      throw new EngineError('CONFLICT', `the request ${id} has ${rfq.receivedChunks} of ${rfq.totalChunks} chunks`, {
        details: { what: 'rfq', id },
      });
    return this.#parts.write(async ({ rfqs }) => {
      const whole = new Uint8Array(rfq.byteLength);
      let end = 0;
      for (const hash of await rfqs.chunks(companyId, id)) {
        const chunk = await this.#parts.store.blobs.read(hash);
        whole.set(chunk, end);
        end += chunk.length;
      }
      return whole;
    });
  }

  async setFile(company: string, id: string, fileUid: string): Promise<Rfq> {
    const { id: companyId } = await this.#parts.company(company);
    const uid = checkGuid('fileUid', fileUid);
    const rfq = await this.#parts.write(({ rfqs }) => rfqs.setFile(companyId, id, uid));
    if (rfq === undefined) throw unknown(id);
    return rfq;
  }

  async remove(company: string, id: string): Promise<boolean> {
    const { id: companyId } = await this.#parts.company(company);
    return this.#parts.write(async ({ rfqs }) => {
      const dropped = await rfqs.remove(companyId, id);
      await this.#parts.store.owned.removeUnowned(dropped ?? []);
      return dropped !== undefined;
    });
  }
}

function unknown(id: string): EngineError {
  return new EngineError('RECORD_UNKNOWN', `there is no quote request ${id}`, { details: { what: 'rfq', id } });
}
