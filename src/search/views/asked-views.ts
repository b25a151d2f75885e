import type { Vector3 } from '../../core/mass.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { VIEW_BYTES, VIEW_FLAG, viewFacts } from '../../descriptors/views.js';
import type { SeenKind } from '../query/likeness-tables.js';
import { countShown } from './bare-views.js';
import type { PageFit, QueryInk } from './inks/page-fits.js';
import type { ViewsCandidate, ViewsQuery } from './view-rank.js';

/** An input of a search by views. */
export interface InputQuery extends ViewsQuery {
  /** Files with a page like its first one as a whole, and the ratio of their distance to that of an ordinary one. */
  readonly pages: ReadonlyMap<number, number>;
  /** Of a picture. */
  readonly ink: QueryInk | undefined;
  /** How it lies on files. */
  readonly fits: ReadonlyMap<number, PageFit>;
  /** Lengths that were read in a picture, mm. */
  readonly readMm: readonly number[];
  /** Files with pages that state some of them: how much of the distance is left, see `leftByLengths`. */
  readonly stated: ReadonlyMap<number, number>;
}

/** Whether views, as `describeViews` gives them, are those of a model. */
export function hasCamera(views: Uint8Array): boolean {
  return views.length > 0 && (viewFacts(views, 0).flags & VIEW_FLAG.CAMERA) !== 0;
}

/** Whether they are a photo's. */
export function isFree(views: Uint8Array): boolean {
  return views.length > 0 && (viewFacts(views, 0).flags & VIEW_FLAG.FREE) !== 0;
}

/** Whether any of the views may have been turned by any angle. */
export function hasFreeViews(views: Uint8Array): boolean {
  for (let i = 0; i < views.length / VIEW_BYTES; i++)
    if ((viewFacts(views, i).flags & VIEW_FLAG.FREE) !== 0) return true;
  return false;
}

/** What the views of an input are of. */
export function seenIn(views: Uint8Array): SeenKind {
  if (hasCamera(views)) return 'model';
  if (isFree(views)) return 'photo';
  return countShown(views) > 1 ? 'views' : 'view';
}

/** What is compared of a file or an input. */
export function candidateOf({
  bytes,
  numbersMm,
  extentsMm,
}: Pick<FileViews, 'bytes' | 'numbersMm' | 'extentsMm'>): ViewsCandidate {
  // The last three are the extents along the model's axes, which drawings show; those of the smallest box precede them.
  const extents = extentsMm.slice(-3) as unknown as Vector3;
  return {
    views: bytes,
    ...(numbersMm.length === 0 ? {} : { numbersMm }),
    ...(extents.length < 3 ? {} : { extentsMm: extents }),
  };
}
