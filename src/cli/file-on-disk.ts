import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { EngineError, type Company, type FileRecord } from '../index.js';
import { inLibrary } from './library.js';
import type { ReadingOptions } from './options.js';

/** Does `work` on a library of its own, which is removed afterwards. */
export async function inTemporaryLibrary<T>(
  options: ReadingOptions,
  work: (company: Company) => Promise<T>,
): Promise<T> {
  const library = await mkdtemp(join(tmpdir(), 'shapedex-file-'));
  try {
    return await inLibrary({ ...options, library, company: 'default', create: true }, ({ company }) => work(company));
  } finally {
    await rm(library, { recursive: true, force: true });
  }
}

/**
 * Reads a file on disk in a temporary library and does `work` on it: no library has to exist, and nothing is kept.
 * @throws EngineError why it cannot be read.
 */
export async function withFileOnDisk<T>(
  file: string,
  { textOnly, ...options }: ReadingOptions & { readonly textOnly?: boolean },
  work: (company: Company, record: FileRecord) => Promise<T>,
): Promise<T> {
  return inTemporaryLibrary({ ...options, workers: 1 }, async (company) => {
    const record = await company.put(basename(file), resolve(file), { textOnly });
    if (record.state !== 'failed') return work(company, record);
    const { code, message } = record.error ?? { code: 'WORKER_FAILED', message: 'it could not be read' };
    throw new EngineError(code, withName(file, message));
  });
}

/** An engine's message about given bytes, with the name that was typed in place of `"input…"`, or else in front. */
export function withName(file: string, message: string): string {
  const told = message
    .replace(/^"input[^"]*"|^the input(?= [a-z])/, file)
    .replace(/"input[^"]*"/, JSON.stringify(basename(file)));
  return told.includes(basename(file)) ? told : `${file}: ${told}`;
}
