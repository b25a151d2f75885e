import type { Company } from '../index.js';
import type { Failure } from './failures.js';
import type { Output } from './output.js';
import { ProgressLine } from './progress.js';

/** What indexing one folder came to. */
export interface IndexOutcome {
  readonly indexed: number;
  readonly unchanged: number;
  readonly total: number;
  readonly bytes: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
  /** The signal ended it early; a second run goes on. */
  readonly interrupted: boolean;
}

/** Puts a folder into a company's files with a bar on stderr, or with JSON lines on stdout. */
export async function indexFolder(
  company: Company,
  folder: string,
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
): Promise<IndexOutcome> {
  const started = performance.now();
  const line = new ProgressLine('Indexing');
  const failures: Failure[] = [];
  let last = { done: 0, failed: 0, skipped: 0, total: 0, bytes: 0 };
  try {
    for await (const progress of company.putFolder(folder, { resume: true, signal })) {
      last = progress;
      if (progress.error) failures.push({ path: progress.path ?? '', code: progress.error.code, message: progress.error.message });
      output.emit({ event: 'progress', ...progress });
      line.show(progress);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    line.end();
  }
  return {
    indexed: last.done - last.failed - last.skipped,
    unchanged: last.skipped,
    total: last.total,
    bytes: last.bytes,
    failures,
    seconds: (performance.now() - started) / 1000,
    interrupted: signal.aborted,
  };
}
