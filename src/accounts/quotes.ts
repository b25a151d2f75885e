import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { checkInteger } from '../options.js';
import type { Rfq } from './tables/rfqs.js';
import { checkBytes, checkGuid, checkOptionalText, checkText } from './checks.js';
import { commit, companyOf, type AccountParts } from './parts.js';

/** A request for quotation, or one chunk of it. */
export interface NewRfq {
  /** At most 100 characters. Absent: a new GUID is made; for a file in chunks, it may be absent only with the first. */
  readonly id?: string;
  /** At most 1 000 characters. */
  readonly fileName: string;
  /** The caller's own number, at most 200 characters. */
  readonly customQuoteId?: string;
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
    const { store, options, fileBytesLimit, lifetime } = this.#parts;
    const { id: companyId } = companyOf(this.#parts, company);
    const id = rfq.id === undefined ? randomUUID() : checkText('rfq.id', rfq.id, { least: 1, most: ID_LIMIT });
    const fileName = checkText('rfq.fileName', rfq.fileName, { least: 1, most: 1_000 });
    const customQuoteId = checkOptionalText('rfq.customQuoteId', rfq.customQuoteId, { most: 200 }) ?? null;
    const { number: chunk, total } = rfq.chunk ?? { number: 1, total: 1 };
    checkInteger('rfq.chunk.total', total, 1, options.rfqChunks);
    checkInteger('rfq.chunk.number', chunk, 0, total);
    const bytes = checkBytes('rfq.bytes', rfq.bytes, { least: 1, most: Number.MAX_SAFE_INTEGER });
    return lifetime.write(async () => {
      const entered = await store.putOwned(bytes, (blob) =>
        store.rooms.accounts.rfqs.putChunk(
          { companyId, id, fileName, customQuoteId, chunk, total, now: options.now(), ...blob },
          { openRfqs: options.openRfqs, fileBytes: fileBytesLimit },
        ),
      );
      await store.removeUnowned(entered.dropped);
      return entered.rfq;
    });
  }

  find(company: string, id: string): Rfq | undefined {
    return this.#parts.store.rooms.accounts.rfqs.find(companyOf(this.#parts, company).id, id);
  }

  /** The file, joined from its chunks. */
  async bytes(company: string, id: string): Promise<Uint8Array> {
    const { store, lifetime } = this.#parts;
    const { id: companyId } = companyOf(this.#parts, company);
    const rfq = store.rooms.accounts.rfqs.find(companyId, id);
    if (rfq === undefined) throw unknown(id);
    if (rfq.status !== 'complete') {
      throw new EngineError('CONFLICT', `the request ${id} has ${rfq.receivedChunks} of ${rfq.totalChunks} chunks`, {
        details: { what: 'rfq', id },
      });
    }
    return lifetime.write(async () => {
      const whole = new Uint8Array(rfq.byteLength);
      let end = 0;
      for (const hash of store.rooms.accounts.rfqs.chunks(companyId, id)) {
        const chunk = await store.blobs.read(hash);
        whole.set(chunk, end);
        end += chunk.length;
      }
      return whole;
    });
  }

  async setFile(company: string, id: string, fileUid: string): Promise<Rfq> {
    const { id: companyId } = companyOf(this.#parts, company);
    const uid = checkGuid('fileUid', fileUid);
    const { rfqs } = this.#parts.store.rooms.accounts;
    if (!(await commit(this.#parts, () => rfqs.setFile(companyId, id, uid)))) throw unknown(id);
    return rfqs.find(companyId, id)!;
  }

  async remove(company: string, id: string): Promise<boolean> {
    const { store, lifetime } = this.#parts;
    const { id: companyId } = companyOf(this.#parts, company);
    return lifetime.write(async () => {
      const dropped = await store.commit(() => store.rooms.accounts.rfqs.remove(companyId, id));
      await store.removeUnowned(dropped ?? []);
      return dropped !== undefined;
    });
  }
}

function unknown(id: string): EngineError {
  return new EngineError('RECORD_UNKNOWN', `there is no quote request ${id}`, { details: { what: 'rfq', id } });
}
