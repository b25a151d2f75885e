import { boxOf } from '../../content/boxes.js';
import type { Content } from '../../content/content.js';
import type { Crop } from '../../content/crop.js';
import type { Core } from '../../core/core.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { packPictures } from '../../descriptors/pack-pictures.js';
import { statedLengths } from '../../descriptors/stated-lengths.js';
import { VIEWS_VERSION, describeViews } from '../../descriptors/views.js';
import type { Limits } from '../../options.js';
import { isPartOf } from '../../shapelets/crop.js';
import { placeMeshes } from '../../shapelets/model/mesh.js';
import { layoutOfPicture, layoutOfSheet } from '../../shapelets/page-layout.js';
import type { Shapelet } from '../../shapelets/shapelet.js';
import { scansOf, shapeletsOf } from '../../shapelets/find-shapelets.js';
import type { FileDescription } from './file-description.js';

/** Bounds of the search for shapelets. */
export interface ViewFinding {
  readonly limits: Limits;
  /** Only this part of each page is searched. */
  readonly crop: Crop | undefined;
}

/** Number of pages of a file whose layout is stored: about 1 kB each. */
const MOST_LAYOUTS = 8;

/**
 * Finds the shapelets of a file and describes them. file: the content that was read from it. Undefined for a document,
 * which has no shapelets.
 */
export function describeFileViews(
  core: Core,
  content: Content,
  file: Pick<FileDescription, 'shape'>,
  { limits, crop: asked }: ViewFinding,
): FileViews | undefined {
  if (content.kind === 'document') return undefined;
  const crop = asked !== undefined && isPartOf(content, asked) ? asked : undefined;
  const found = shapeletsOf(core, content, limits, crop);
  const shapelets = found.map(({ shapelet }) => shapelet);
  return {
    version: VIEWS_VERSION,
    ...(crop === undefined ? {} : { isPart: true }),
    bytes: describeViews(core, shapelets),
    shapelets: shapelets.map(({ place, size, isToScale }) => ({ place, size, isToScale })),
    numbersMm: content.kind === 'drawing' ? statedLengths(content) : [],
    extentsMm:
      content.kind === 'model'
        ? [...(file.shape?.bboxSizeMm ?? []), ...axisExtents(placeMeshes(content).positions)]
        : [],
    ...(crop === undefined && shapelets.length > 0 && shapelets.every(({ isFree }) => isFree !== true)
      ? { layouts: layoutsOf(content) }
      : {}),
    pictures:
      content.kind === 'model' || shapelets.length === 0
        ? null
        : packPictures([...found.map(({ exactLines }) => exactLines), ...graysOf(shapelets)]),
  };
}

/** Brightness of all images, if at least one has it. */
function graysOf(shapelets: readonly Shapelet[]): Uint8Array[] {
  if (shapelets.every(({ gray }) => gray === undefined)) return [];
  return shapelets.map(({ mask, gray }) => gray ?? new Uint8Array(mask.length));
}

/** Layouts of the first pages; photos have none. */
function layoutsOf(content: Content): Uint8Array {
  const layouts: Uint8Array[] = [];
  if (content.kind === 'drawing') {
    for (const sheet of content.sheets.slice(0, MOST_LAYOUTS)) {
      const [scan] = scansOf(sheet);
      layouts.push((scan === undefined ? layoutOfSheet(sheet) : layoutOfPicture(scan.picture)) ?? new Uint8Array());
    }
  } else if (content.kind === 'image')
    for (const picture of content.pictures.slice(0, MOST_LAYOUTS))
      layouts.push(layoutOfPicture(picture) ?? new Uint8Array());
  return Uint8Array.from(layouts.flatMap((layout) => [...layout]));
}

function axisExtents(positions: Float32Array): number[] {
  const { low, high } = boxOf(positions);
  return positions.length === 0 ? [] : low.map((value, axis) => high[axis] - value);
}
