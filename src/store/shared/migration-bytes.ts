import { EngineError } from '../../errors.js';
import type { NamedBytes } from '../catalog/named-bytes.js';
import type { BlobStore } from '../disk/blobs.js';
import type { MigrationOptions, MigrationReport } from './migration-options.js';

/** Byte strings that are copied at a time. */
const AT_A_TIME = 8;

/** @throws EngineError `ABORTED` when the caller has ended the work. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
}

/**
 * Copies byte strings from one place to another, checking each against its hash; what is there already whole stays. So
 * a run that was cut short goes on where it stopped.
 * @throws EngineError `ABORTED`, `STORAGE_FAILED`.
 */
export async function copyBytes(
  named: readonly NamedBytes[],
  { from, to }: { readonly from: BlobStore; readonly to: BlobStore },
  { onProgress, signal }: Pick<MigrationOptions, 'onProgress' | 'signal'>,
): Promise<Pick<MigrationReport, 'blobs' | 'bytes' | 'kept' | 'damaged'>> {
  const damaged: MigrationReport['damaged'][number][] = [];
  let [done, kept, blobs, bytes] = [0, 0, 0, 0];
  await Promise.all([from.make(), to.make()]);
  const copy = async ({ hash, byteLength }: NamedBytes): Promise<void> => {
    if ((await to.check(hash, byteLength)) === undefined) kept++;
    else {
      try {
        await to.keep(await to.draft(from.stream(hash, byteLength), signal));
      } catch (cause) {
        if (!(cause instanceof EngineError && cause.code === 'LIBRARY_DAMAGED')) throw cause;
        damaged.push({ hash, fault: (await from.check(hash, byteLength)) ?? 'unreadable' });
        return;
      }
    }
    blobs++;
    bytes += byteLength;
  };
  const left = named.values();
  const work = async (): Promise<void> => {
    for (const one of left) {
      checkSignal(signal);
      await copy(one);
      onProgress?.({ what: 'bytes', done: ++done, total: named.length });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work));
  for (const store of [from, to]) store.close();
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return { blobs, bytes, kept, damaged: damaged.sort((a, b) => (a.hash < b.hash ? -1 : 1)) };
}
