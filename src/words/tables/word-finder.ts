import type { StoredPage } from '../../store/catalog/file-text.js';
import type { HighlightsRead } from '../text-highlights.js';
import type { TextQuery } from '../text-query.js';
import type { HighlightOptions, PagesOptions, RankedFiles, RankOptions, WordDoor } from '../word-door.js';
import { type IndexTables, TextIndex } from './text-index.js';

/** Answers {@link WordDoor} from the tables of the catalogue. */
export class WordFinder implements WordDoor {
  readonly #tables: IndexTables;
  readonly #ready: (companyId: number) => Promise<void>;
  readonly #indexes = new Map<number, TextIndex>();

  /** ready: resolves when a company can be asked. */
  constructor(tables: IndexTables, ready: (companyId: number) => Promise<void>) {
    this.#tables = tables;
    this.#ready = ready;
  }

  async matching(companyId: number, query: TextQuery): Promise<Uint32Array> {
    return (await this.#index(companyId)).matching(query);
  }

  async those(companyId: number, fileIds: Uint32Array, query: TextQuery): Promise<Uint32Array> {
    return (await this.#index(companyId)).those(fileIds, query);
  }

  async isKept(companyId: number, query: TextQuery): Promise<boolean> {
    return (await this.#index(companyId)).isKept(query);
  }

  async size(companyId: number): Promise<number> {
    return (await this.#index(companyId)).size;
  }

  async count(companyId: number, query: TextQuery): Promise<number> {
    return (await this.#index(companyId)).estimate(query);
  }

  async respelled(companyId: number, text: string): Promise<readonly string[]> {
    return (await this.#index(companyId)).respelled(text);
  }

  async ranked(companyId: number, query: TextQuery, options: RankOptions): Promise<RankedFiles> {
    return (await this.#index(companyId)).ranked(query, options);
  }

  async highlights(
    companyId: number,
    fileId: number,
    query: TextQuery,
    options: HighlightOptions,
  ): Promise<HighlightsRead> {
    return (await this.#index(companyId)).highlights(fileId, query, options);
  }

  async pages(fileId: number, { from, characters }: PagesOptions): Promise<StoredPage[]> {
    const pages: StoredPage[] = [];
    let read = 0;
    for (const page of this.#tables.texts.eachPage(fileId)) {
      if (page.number < from) continue;
      if (read >= characters) break;
      pages.push(page);
      read += page.text.length;
    }
    return pages;
  }

  async #index(companyId: number): Promise<TextIndex> {
    await this.#ready(companyId);
    let index = this.#indexes.get(companyId);
    if (index === undefined) this.#indexes.set(companyId, (index = new TextIndex(this.#tables, companyId)));
    return index;
  }
}
