import type { Core } from '../../core/core.js';
import type { OrdinaryViews } from '../../descriptors/ordinary-views.js';
import { VIEW_BYTES } from '../../descriptors/views.js';
import type { FileViewRow } from '../../store/catalog/shapelet.js';
import { joined } from './match-views.js';

/** Drawings whose ordinary distances are remembered. */
const MOST_ORDINARY = 20_000;

/** Ordinary distances of the views of drawings, by file; used when the query is a model. */
export class OrdinaryDistances {
  readonly #core: Core;
  readonly #views: OrdinaryViews;
  readonly #known = new Map<number, Float32Array>();

  constructor(core: Core, views: OrdinaryViews) {
    this.#core = core;
    this.#views = views;
  }

  /** Must be called when a file was changed or removed. */
  forget(fileId: number): void {
    this.#known.delete(fileId);
  }

  /** Those of these drawings; what is not known is measured in one go. index: tells which files are still there. */
  of(
    rows: readonly Pick<FileViewRow, 'fileId' | 'bytes'>[],
    index: { has(fileId: number): boolean },
  ): ReadonlyMap<number, Float32Array> {
    const known = new Map(rows.map(({ fileId }) => [fileId, this.#known.get(fileId)]));
    const unknown = rows.filter(({ fileId }) => known.get(fileId) === undefined);
    const measured = this.#views.measure(this.#core, joined(unknown.map(({ bytes }) => bytes)));
    let view = 0;
    for (const { fileId, bytes } of unknown) {
      const own = measured.slice(view, (view += bytes.length / VIEW_BYTES));
      known.set(fileId, own);
      // Not remembered for a file that was removed meanwhile.
      if (!index.has(fileId)) continue;
      this.#known.set(fileId, own);
      if (this.#known.size > MOST_ORDINARY) this.#known.delete(this.#known.keys().next().value!);
    }
    return known as ReadonlyMap<number, Float32Array>;
  }
}
