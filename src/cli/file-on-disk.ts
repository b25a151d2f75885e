import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { EngineError, type Company, type FileRecord } from '../index.js';
import { inLibrary } from './library.js';
import type { ReadingOptions } from './reading-options.js';

/**
 * Reads a file on disk in a temporary library and does `work` on it: no library has to exist, and nothing is kept.
 * @throws EngineError why it cannot be read.
 */
export async function withFileOnDisk<T>(
  file: string,
  options: ReadingOptions & { readonly textOnly?: boolean },
  work: (company: Company, record: FileRecord) => Promise<T>,
): Promise<T> {
  const library = await mkdtemp(join(tmpdir(), 'shapedex-file-'));
  try {
    return await inLibrary(
      { ...options, workers: 1, library, company: 'default', create: true },
      async ({ company }) => {
        const record = await company.put(basename(file), resolve(file), { textOnly: options.textOnly });
        if (record.state === 'failed')
          throw new EngineError(
            record.error?.code ?? 'WORKER_FAILED',
            record.error?.message ?? `${file} could not be read`,
          );
        return work(company, record);
      },
    );
  } finally {
    await rm(library, { recursive: true, force: true });
  }
}
