import type { DrawnLines } from '../views/drawn-lines.js';
import { createHash } from 'node:crypto';
import type { DuplicateFile } from '../../store/catalog/duplicate-records.js';
import type { StoredPage } from '../../store/catalog/file-text.js';
import type { Store } from '../../store/store.js';
import type { WordDoor } from '../../words/word-door.js';
import { MOST_TEXT, storedDrawing } from '../query/whole-drawing.js';
import { drawnAnew, type DrawnAnew } from './drawn-anew.js';
import { drawnLines, haveSameLines, isSameDrawing, ReadDrawing, writtenOn } from '../views/same-drawing.js';

/** Most sets with the same signs that a drawing is compared with, in the order of the sets. */
const MOST_COMPARED = 2_048;
/** Most drawings whose lines are kept, some 2 kB a page; those of others are read each time. */
const MOST_KEPT = 10_000;
/** Most files of which it is remembered what is written on them, some 100 bytes each. */
const MOST_REMEMBERED = 200_000;

/** What is written on files, by the time at which they were indexed: a later call need not read their texts again. */
export class WrittenSigns {
  readonly #known = new Map<number, { readonly indexedAt: number; readonly digest: string }>();

  /** The digest of the signs of a file, '' without any. read: its pages. */
  async of(
    { fileId, indexedAt }: Pick<DuplicateFile, 'fileId' | 'indexedAt'>,
    read: () => Promise<readonly StoredPage[]>,
  ): Promise<string> {
    const known = this.#known.get(fileId);
    if (known !== undefined && known.indexedAt === indexedAt) return known.digest;
    const written = writtenOn(await read());
    const digest = written === '' ? '' : createHash('sha256').update(written).digest('base64').slice(0, 22);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    if (indexedAt !== null) this.#known.set(fileId, { indexedAt, digest });
    return digest;
  }
}

/** What {@link DrawingSets} needs. */
export interface DrawingSetsParts {
  readonly store: Store;
  readonly texts: Pick<WordDoor, 'pages'>;
  readonly written: WrittenSigns;
  /** Awaited before each drawing; may reject to stop the work. */
  readonly turn: () => Promise<void>;
}

/**
 * The sets of one drawing that was saved in several files: those with the same signs are compared by their lines.
 * Group: what holds the files of a set.
 */
export class DrawingSets<Group> {
  readonly #parts: DrawingSetsParts;
  /** The first drawing of each set, by its signs. */
  readonly #bySigns = new Map<string, { readonly set: Group; readonly fileId: number; lines?: DrawnLines }[]>();
  readonly #begun = new Set<Group>();
  #kept = 0;

  constructor(parts: DrawingSetsParts) {
    this.#parts = parts;
  }

  /** The first set that holds the same drawing and that the file may join, and how it stands on its paper there. */
  async homeOf(
    file: DuplicateFile,
    mayJoin: (set: Group) => boolean,
  ): Promise<{ readonly set: Group; readonly drawn: DrawnAnew } | undefined> {
    if (!isDrawing(file)) return undefined;
    const { store, texts, turn } = this.#parts;
    await turn();
    const others = this.#bySigns.get(await this.#signsOf(file)) ?? [];
    const own = others.length === 0 ? undefined : await storedDrawing(store, texts, file.fileId);
    if (own === undefined) return undefined;
    const drawing = new ReadDrawing(own);
    for (const first of others.slice(0, MOST_COMPARED)) {
      const { set, fileId } = first;
      if (!mayJoin(set)) continue;
      await turn();
      const lines = first.lines ?? (await this.#linesOf(fileId));
      if (first.lines === undefined && this.#kept < MOST_KEPT) {
        first.lines = lines;
        this.#kept++;
      }
      if (!haveSameLines(lines, drawing.inks)) continue;
      const other = await storedDrawing(store, texts, fileId);
      const own = other && new ReadDrawing(other);
      if (own === undefined || !isSameDrawing(own, drawing)) continue;
      const [views, newViews] = await Promise.all([fileId, file.fileId].map((id) => store.views.shapelets(id)));
      return { set, drawn: drawnAnew([own, views], [drawing, newViews]) };
    }
    return undefined;
  }

  async #linesOf(fileId: number): Promise<DrawnLines> {
    return drawnLines((await this.#parts.store.views.inks([fileId])).get(fileId));
  }

  /**
   * Notes the first drawing of a set; what comes after it changes nothing. It need not be the set's first file: that
   * one may have failed to be read.
   */
  async begin(set: Group, file: DuplicateFile): Promise<void> {
    if (!isDrawing(file) || this.#begun.has(set)) return;
    this.#begun.add(set);
    const signs = await this.#signsOf(file);
    if (signs === '') return;
    const others = this.#bySigns.get(signs);
    if (others === undefined) this.#bySigns.set(signs, [{ set, fileId: file.fileId }]);
    else others.push({ set, fileId: file.fileId });
  }

  #signsOf(file: DuplicateFile): Promise<string> {
    const { texts, written } = this.#parts;
    return written.of(file, () => texts.pages(file.fileId, { from: 1, characters: MOST_TEXT }));
  }
}

function isDrawing({ kind, state }: DuplicateFile): boolean {
  return kind === 'TwoD' && state === 'indexed';
}
