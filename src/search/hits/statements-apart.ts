import type { Store } from '../../store/store.js';
import { featuresOf, type PreparedInput } from '../query/inputs.js';
import { distanceOfDrawings, similarityOf, SIMILAR_LEAST } from '../query/likeness.js';
import type { ViewHit } from '../views/view-hit.js';
import { holesApart } from './drawn-holes.js';
import type { Differences } from './less-like.js';
import { countsApart } from './like-drawings.js';
import { ALIKE } from './reasons.js';
import type { StatedSizes } from './stated-sizes.js';

interface Sized {
  readonly store: Store;
  readonly inputs: readonly PreparedInput[];
  readonly stated: StatedSizes;
  /** Whether a hit is the same file or drawing as an input. */
  readonly isSame: (fileId: number) => boolean;
}

/**
 * Of files that were found by their views of one input: less like it where it is plain that they state other sizes or
 * numbers of features, or have other holes than a drawing states.
 */
export function byStatements(sized: Sized): Differences<ViewHit> {
  const { inputs, isSame } = sized;
  return {
    isAsked: ({ fileId, score, surface }) =>
      inputs.length === 1 && surface === undefined && !isSame(fileId) && similarityOf(SIMILAR_LEAST + score) >= ALIKE,
    isBefore: ({ fileId, surface }) => isSame(fileId) || surface !== undefined,
    scoreOf: distanceOfDrawings,
    apartOf: (hits) => apartOf(hits, sized),
  };
}

/** Distances in log extents of each hit. */
async function apartOf(hits: readonly ViewHit[], { store, inputs, stated }: Sized): Promise<Map<number, number>> {
  const [input] = inputs;
  const apart = new Map<number, number>();
  const idsOf = (kind: ViewHit['found']): number[] =>
    hits.flatMap(({ found, fileId }) => (found === kind ? fileId : []));
  const features = input.shape?.features;
  if (features !== undefined) {
    const pages = await statingPages(store, idsOf('page'));
    const sizes = await stated.ofFiles(pages);
    for (const fileId of pages) apart.set(fileId, holesApart(sizes.get(fileId), features));
    return apart;
  }
  const own = await stated.ofInput(0);
  if (own === undefined || ((await input.views())?.numbersMm ?? []).length === 0) return apart;
  const models = idsOf('model');
  const found = models.length === 0 ? [] : await store.shapes.features(models);
  for (const [i, fileId] of models.entries()) apart.set(fileId, holesApart(own, featuresOf(found[i])));
  const pages = await statingPages(store, idsOf('page'));
  const sizes = await stated.ofFiles(pages);
  for (const fileId of pages) {
    const other = sizes.get(fileId);
    if (other !== undefined) apart.set(fileId, countsApart(own, other));
  }
  return apart;
}

/** Those that state lengths in texts of their own: what was read in a picture is less sure. */
async function statingPages(store: Store, fileIds: readonly number[]): Promise<number[]> {
  const lengths = fileIds.length === 0 ? [] : await store.views.lengths(fileIds);
  return fileIds.filter((_, i) => lengths[i].numbersMm.length > 0);
}
