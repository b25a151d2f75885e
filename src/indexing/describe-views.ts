import type { Content } from '../content/content.js';
import type { Crop } from '../content/crop.js';
import type { Core } from '../core/core.js';
import type { FileViews } from '../descriptors/file-views.js';
import { packPictures } from '../descriptors/pack-pictures.js';
import { statedLengths } from '../descriptors/stated-lengths.js';
import { VIEWS_VERSION, describeViews } from '../descriptors/views.js';
import type { Limits } from '../options.js';
import { placeMeshes } from '../shapelets/mesh.js';
import type { Shapelet } from '../shapelets/shapelet.js';
import { shapeletsOf } from '../shapelets/shapelets.js';
import type { FileDescription } from './file-description.js';

/** What bounds the looking for shapelets. */
export interface ViewFinding {
  readonly limits: Limits;
  /** Only this part of each page counts. */
  readonly crop: Crop | undefined;
}

/** Finds the shapelets of a file and describes them. file: what was found in it before. Undefined for a document: it has none. */
export function describeFileViews(core: Core, content: Content, file: Pick<FileDescription, 'shape'>, { limits, crop }: ViewFinding): FileViews | undefined {
  if (content.kind === 'document') return undefined;
  const found = shapeletsOf(core, content, limits, crop);
  const shapelets = found.map(({ shapelet }) => shapelet);
  return {
    version: VIEWS_VERSION,
    bytes: describeViews(core, shapelets),
    shapelets: shapelets.map(({ place, size, isToScale }) => ({ place, size, isToScale })),
    numbersMm: content.kind === 'drawing' ? statedLengths(content) : [],
    extentsMm: content.kind === 'model' ? [...file.shape?.bboxSizeMm ?? [], ...axisExtents(placeMeshes(content).positions)] : [],
    pictures: content.kind === 'model' || shapelets.length === 0 ? null : packPictures([...found.map(({ exactLines }) => exactLines), ...graysOf(shapelets)]),
  };
}

/** Brightness of all, where one of them has it. */
function graysOf(shapelets: readonly Shapelet[]): Uint8Array[] {
  if (shapelets.every(({ gray }) => gray === undefined)) return [];
  return shapelets.map(({ mask, gray }) => gray ?? new Uint8Array(mask.length));
}

function axisExtents(positions: Float32Array): number[] {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    if (positions[i] < low[axis]) low[axis] = positions[i];
    if (positions[i] > high[axis]) high[axis] = positions[i];
  }
  return positions.length === 0 ? [] : low.map((value, axis) => high[axis] - value);
}
