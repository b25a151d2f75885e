import type { EngineError } from '../errors.js';
import type { IndexingEvent } from '../options.js';
import type { FileDoor } from '../store/catalogue.js';
import type { IndexListener } from './queue.js';
import type { Job } from '../store/catalog/job.js';

/** What an engine indexed since it was opened. */
export interface IndexingCounts {
  readonly indexed: number;
  /** By code of the error. */
  readonly failed: Readonly<Record<string, number>>;
  /** Files indexed or failed per second, over the last minute. */
  readonly ratePerS: number;
}

/** Time over which the rate is taken, s. */
const WINDOW_S = 60;

/** Counts what is indexed and what fails, and tells it. */
export class IndexingTally implements IndexListener {
  readonly #startedMs = performance.now();
  readonly #failed = new Map<string, number>();
  /** Files by second, of the last minute. */
  readonly #recent: { second: number; files: number }[] = [];
  readonly #tell: ((event: IndexingEvent) => void) | undefined;
  readonly #files: Pick<FileDoor, 'companies'>;
  readonly #names = new Map<number, string>();
  #indexed = 0;

  constructor(files: Pick<FileDoor, 'companies'>, tell: ((event: IndexingEvent) => void) | undefined) {
    this.#files = files;
    this.#tell = tell;
  }

  indexed(job: Job): void {
    this.#indexed++;
    this.#count();
    void this.#report(job, { event: 'indexed', time: new Date() });
  }

  failed(job: Job, { code, message }: EngineError): void {
    this.#failed.set(code, (this.#failed.get(code) ?? 0) + 1);
    this.#count();
    void this.#report(job, { event: 'failed', time: new Date(), code, message });
  }

  counts(): IndexingCounts {
    const now = performance.now();
    const second = Math.floor(now / 1_000);
    const files = this.#recent.reduce((sum, one) => sum + (second - one.second < WINDOW_S ? one.files : 0), 0);
    const elapsedS = Math.min(WINDOW_S, Math.max(1, (now - this.#startedMs) / 1_000));
    return { indexed: this.#indexed, failed: Object.fromEntries(this.#failed), ratePerS: files / elapsedS };
  }

  /** Tells of files that companies store; search inputs are only counted. */
  async #report(
    { companyId, uid, path, byteLength }: Job,
    what: Pick<IndexingEvent, 'event' | 'time' | 'code' | 'message'>,
  ): Promise<void> {
    if (this.#tell === undefined) return;
    if (!this.#names.has(companyId)) {
      // A catalogue that cannot be read now is told by whoever needs it.
      for (const { id, name } of await this.#files.companies().catch(() => [])) this.#names.set(id, name);
    }
    const company = this.#names.get(companyId);
    if (company !== undefined) this.#tell({ ...what, company, uid, path, byteLength });
  }

  #count(): void {
    const second = Math.floor(performance.now() / 1_000);
    const last = this.#recent.at(-1);
    if (last?.second === second) last.files++;
    else this.#recent.push({ second, files: 1 });
    if (this.#recent.length > WINDOW_S) this.#recent.shift();
  }
}
