import type { SearchableDoor, SearchableList } from '../../store/catalogue.js';

/** All searchable files of a company, in columns, read page by page. */
export async function listedFiles(door: SearchableDoor, companyId: number): Promise<SearchableList> {
  const pages: SearchableList[] = [];
  for (let last = 0; ; ) {
    const page = await door.after(companyId, last);
    if (page.fileIds.length === 0) break;
    pages.push(page);
    last = page.fileIds[page.fileIds.length - 1];
  }
  const count = pages.reduce((sum, { fileIds }) => sum + fileIds.length, 0);
  const all = {
    fileIds: new Uint32Array(count),
    kinds: new Uint8Array(count),
    indexedAt: new Float64Array(count),
  };
  let at = 0;
  for (const { fileIds, kinds, indexedAt } of pages) {
    all.fileIds.set(fileIds, at);
    all.kinds.set(kinds, at);
    all.indexedAt.set(indexedAt, at);
    at += fileIds.length;
  }
  return all;
}
