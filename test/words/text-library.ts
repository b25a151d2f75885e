import type { DescribedPage } from '../../dist/store/catalog/file-text.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { readTextClause, type TextQuery } from '../../dist/words/text-query.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { keyOf } from '../../dist/words/terms.js';
import { parseAttributes } from '../../dist/attributes/attribute.js';

/** What a test puts: the text of its pages is given, as if a reader had found it. */
export interface TextFile {
  readonly path: string;
  readonly pages?: readonly (string | DescribedPage)[];
  /** `name=value` texts. */
  readonly attributes?: readonly string[];
  readonly extracted?: readonly { name: string; unit: string; value: string }[];
}

/** So small that a few files make a word frequent, and that some frequent words are forgotten again. */
const FEW = { leastFiles: 3, bytes: 20_000, sampled: 8, share: 1 / 8 };

export const openStore = (library: string, terms = TERM_MAKER): Promise<Library> =>
  openLibrary(library, { fileBytesLimit: 1e6, crashLimit: 1_000, terms, frequentWords: FEW });

export const query = (text: string | readonly string[], numeric = false): TextQuery => ({
  clauses: (Array.isArray(text) ? (text as string[]) : [text as string]).map((clause) => readTextClause(clause)),
  numeric,
});

let contents = 0;

/** Stores a file, not yet indexed. */
export async function put(
  store: Library,
  company: string,
  { path, attributes }: TextFile,
): Promise<{ fileId: number; uid: string; companyId: number }> {
  const companyId = await store.company(company);
  const { fileId, uid } = await store.put({
    companyId,
    path,
    overwrite: true,
    textOnly: true,
    kind: 'Text',
    priority: 3,
    attributes: attributes === undefined ? undefined : parseAttributes(attributes, keyOf),
    source: new TextEncoder().encode(`content ${contents++}`),
  });
  return { fileId, uid, companyId };
}

/** Stores what indexing it gave; nothing is claimed, so jobs may end in any order. */
export async function complete(
  store: Library,
  fileId: number,
  { pages = [], extracted = [] }: TextFile,
): Promise<void> {
  await store.jobs.complete(fileId, {
    kind: 'Text',
    warnings: [],
    contentVersion: 1,
    faceCount: null,
    pageCount: pages.length,
    extracted,
    pages: pages.map((page, i) => (typeof page === 'string' ? { number: i + 1, name: '', text: page } : page)),
  });
}

export async function index(
  store: Library,
  company: string,
  file: TextFile,
): Promise<{ fileId: number; uid: string; companyId: number }> {
  const entered = await put(store, company, file);
  await complete(store, entered.fileId, file);
  return entered;
}
