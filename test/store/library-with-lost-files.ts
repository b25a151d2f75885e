import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyReport } from '../../dist/index.js';
import { openLibrary, type Library } from '../../dist/library.js';

/** What tests of lost+found share: small libraries of text files, and what lies on their disk. */

export const catalog = (library: string): string => join(library, 'catalog.sqlite');

/** Hashes of all blobs below `blobs`, and of those in `lost+found`. */
export function stored(library: string): { blobs: string[]; lost: string[] } {
  const names = (path: string): string[] => (existsSync(path) ? readdirSync(path) : []);
  const blobs = join(library, 'blobs');
  return {
    blobs: names(blobs).flatMap((start) => names(join(blobs, start)).map((rest) => start + rest)),
    lost: names(join(library, 'lost+found')).filter((name) => /^[0-9a-f]{64}$/.test(name)),
  };
}

interface Line {
  readonly at: string;
  readonly what: string;
  readonly hash: string;
  readonly byteLength: number;
  readonly why: string;
}

export const listOf = (library: string): Line[] =>
  readFileSync(join(library, 'lost+found', 'list.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

export const text = (number: number): Buffer => Buffer.from(`text ${number}`);

/** Opens a library without reading its files, does `work`, and closes it. */
export async function inStore(
  library: string,
  work: (store: Library) => Promise<void> = async () => {},
): Promise<void> {
  const store = await openLibrary(library, { fileBytesLimit: 1e6, crashLimit: 10 });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

export async function putTexts(store: Library, from: number, to: number): Promise<void> {
  const companyId = await store.company('acme');
  const facts = { companyId, textOnly: false, kind: 'Text', priority: 3 } as const;
  for (let number = from; number < to; number++)
    await store.put({ ...facts, path: `${number}.txt`, source: text(number) });
}

const RULES = {
  versions: { compact: 1, fine: 1, surface: 1, faces: 1, faceWords: 1 },
  lengths: { compact: 8 },
  contentVersion: 1,
};
export const verified = (store: Library): Promise<VerifyReport> => store.verify(RULES, { repair: true });

/** A library of ten files whose catalogue is that of the first six; the newer catalogue lies at `newer`. */
export async function withOlderCatalogue(library: string): Promise<{ library: string; newer: string }> {
  await inStore(library, (store) => putTexts(store, 0, 6));
  cpSync(catalog(library), `${library}-older`);
  await inStore(library, (store) => putTexts(store, 6, 10));
  cpSync(catalog(library), `${library}-newer`);
  cpSync(`${library}-older`, catalog(library));
  return { library, newer: `${library}-newer` };
}
