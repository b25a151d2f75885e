import type { Model } from '../../content/model.js';
import type { Core } from '../../core/core.js';
import type { ShapeDescriber } from '../../descriptors/describe.js';
import type { ShapeDescription } from '../../descriptors/description.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { decodeSurface } from '../../descriptors/surface.js';
import { EngineError, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { processorTimeMs } from '../../processor-time.js';
import { comparePart } from '../../search/shapes/same-part/compare-part.js';
import { PartSurface } from '../../search/shapes/same-part/part-surface.js';
import { describeFileViews } from './describe-views.js';
import { distinctComponents, modelOf, type DistinctComponent } from './distinct-components.js';
import { NO_VIEWS, type ComponentDescription } from './file-description.js';

/** What describing components needs in addition to the model. */
export interface ComponentBounds {
  readonly core: Core;
  readonly describer: ShapeDescriber;
  readonly limits: Limits;
  /** Time at which describing gives up, by `processorTimeMs`. */
  readonly endMs: number;
}

/**
 * Largest difference between the measures of two parts, as a share, for which they are compared; copies of one part
 * agree to a thousandth.
 */
const MEASURES_APART = 2e-3;
/**
 * Largest distance between the surfaces of two parts, as a share of the longest side, for which they count as one
 * component.
 */
const SURFACES_APART = 1e-3;
/** Most parts with the same measures that a part is compared with. */
const MOST_COMPARED = 4;

/** The described components of an assembly, and warnings about the others. */
interface FoundComponents {
  readonly components: readonly ComponentDescription[];
  /** Numbers of components that are copies of another one, and the number of that one. */
  readonly sameAs: ReadonlyMap<number, number>;
  readonly warnings: readonly Warning[];
}

/** A described component with its surface, which is loaded when it is compared. */
interface Kept {
  readonly component: DistinctComponent;
  readonly shape: ShapeDescription;
  readonly views: FileViews;
  surface?: PartSurface;
  occurrences: number;
}

/**
 * Describes the distinct components of an assembly as if each were a file: shape and views. Exporters often copy a part
 * instead of placing it again, so components with the same shape become one. Components without a surface are left out,
 * as are those beyond `limits.indexedComponents` and those for which no time is left; a warning reports that. A single
 * part has no components.
 */
export function describeComponents(model: Model, { core, describer, limits, endMs }: ComponentBounds): FoundComponents {
  const { components } = distinctComponents(model);
  const kept: Kept[] = [];
  const sameAs = new Map<number, number>();
  const warnings: Warning[] = [];
  const leaveOut = (count: number, why: string): void => {
    warnings.push({
      code: 'CONTENT_SKIPPED',
      message: `${count} of ${components.length} components are not found by themselves: ${why}`,
    });
  };
  const allowed = components.slice(0, limits.indexedComponents);
  if (allowed.length < components.length)
    leaveOut(components.length - allowed.length, `at most ${limits.indexedComponents} are (limits.indexedComponents)`);
  for (const [i, component] of allowed.entries()) {
    if (processorTimeMs() > endMs) {
      leaveOut(allowed.length - i, `describing them took longer than limits.timeoutMs allows, ${limits.timeoutMs}`);
      break;
    }
    try {
      const content = modelOf(model, component);
      const shape = describer.describe(content);
      const same = sameAmong(core, kept, component, shape);
      if (same === undefined) {
        const views = describeFileViews(core, content, { shape }, { limits, crop: undefined }) ?? NO_VIEWS;
        kept.push({ component, shape, views, occurrences: component.occurrences });
      } else {
        same.occurrences += component.occurrences;
        sameAs.set(component.number, same.component.number);
      }
    } catch (cause) {
      // A trap in the core must be reported; any other failure affects only this part, not the others.
      if (!(cause instanceof EngineError) || cause.code === 'CORE_FAILED') throw cause;
      if (cause.code !== 'NO_GEOMETRY') leaveOut(1, `${component.name}: ${cause.message}`);
    }
  }
  return {
    components: kept.map(({ component: { number, name, place, isAssembly }, occurrences, shape, views }) => {
      return { number, name, place, isAssembly, occurrences, shape, views };
    }),
    sameAs,
    warnings,
  };
}

/** An earlier component with the same shape and size, if any. */
function sameAmong(
  core: Core,
  kept: readonly Kept[],
  { isAssembly }: DistinctComponent,
  shape: ShapeDescription,
): Kept | undefined {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= MEASURES_APART * Math.max(a, b);
  const alike = kept.filter(
    (one) =>
      one.component.isAssembly === isAssembly &&
      near(one.shape.surfaceAreaMm2, shape.surfaceAreaMm2) &&
      near(one.shape.volumeMm3, shape.volumeMm3) &&
      near(one.shape.bboxSizeMm[0], shape.bboxSizeMm[0]),
  );
  if (alike.length === 0) return undefined;
  const surface = new PartSurface(decodeSurface(shape.descriptors.surface));
  return alike.slice(0, MOST_COMPARED).find((one) => {
    one.surface ??= new PartSurface(decodeSurface(one.shape.descriptors.surface));
    const { matchClass, maxDeviationMm } = comparePart(core, one.surface, surface);
    return matchClass === 'identical' && maxDeviationMm <= SURFACES_APART * shape.bboxSizeMm[0];
  });
}
