import { numberOf, type DimensionKind } from '../dimension-text.js';
import { MILLIMETRES } from '../../content/units.js';
import { generalAngles, generalTolerance, type GeneralClass } from './iso-2768.js';
import { FRACTIONS, ISO_22081, placesIn, unlabelledIn, type StatedHalf } from './stated-tolerance.js';
import { classesIn, FOR_SOME_FACES } from './tolerance-words.js';

/** What a drawing states for all sizes without a tolerance of their own. */
export interface GeneralRules {
  /**
   * Half of the tolerance of a size, and where it comes from; undefined where the rules give none. `half` is absent
   * where it depends on more than the size; its unit is that of the size, degrees for angles.
   */
  readonly of: (size: GeneralSize) => { readonly half?: number; readonly from: string } | undefined;
  /** In words, why `of` gives nothing for a size: `ISO 2768-m gives nothing for threads`. */
  readonly whyNot: (size: GeneralSize) => string;
}

/** A size as general tolerances see it. */
export interface GeneralSize {
  readonly kind: DimensionKind;
  /** In its unit: mm, inches or degrees. */
  readonly nominal: number;
  /** Decimals that are written, or {@link FRACTIONS}. */
  readonly places: number;
  /** Whether it is in inches. */
  readonly isInch: boolean;
  /** Whether the drawing's unit is the inch: that of tolerances that state none. */
  readonly isDrawingInch: boolean;
}

/** Kinds that are lengths between or across surfaces. */
const LENGTHS: ReadonlySet<DimensionKind> = new Set([
  'length',
  'diameter',
  'depth',
  'counterbore',
  'countersink',
  'square',
]);
/**
 * The rules that a `General tolerance` states; undefined for other texts. ISO 22081 gives its ± to sizes across
 * surfaces and to angles, and the profile of surfaces to all else, radii and chamfers among it. Two classes of ISO
 * 2768, and one for some faces alone, give none. Where several are stated for a size, that in its unit holds; one for
 * all sizes is converted, those by decimals are not.
 */
export function generalRules(stated: string): GeneralRules | undefined {
  const classes = classesIn(stated);
  if (FOR_SOME_FACES.test(stated)) return undefined;
  if (new Set(classes.map(({ name }) => name)).size > 1) return undefined;
  for (const { name, standard } of classes) return rulesOf2768(name, `${standard}-${name}`);
  const from = ISO_22081.test(stated) ? 'ISO 22081' : 'general';
  const rows = placesIn(stated);
  const { lengths, angles } = unlabelledIn(stated);
  if (rows.length === 0 && lengths.length === 0 && angles.length === 0) return undefined;
  // A ± with other words about it may be that of one size.
  if (from === 'general' && rows.length === 0 && !/^(?:general\s+|linear\s+)?±[\s\d.,±°min]+$/i.test(stated))
    return undefined;
  return {
    of: (size) => {
      const { kind } = size;
      if (kind === 'angle') return angles.length === 0 ? undefined : { half: numberOf(angles[0]), from };
      const isEdge = kind === 'radius' || kind === 'chamfer';
      if (!(LENGTHS.has(kind) || (isEdge && from === 'general'))) return undefined;
      const half = chosenHalf(rows.length > 0 ? rows : lengths, size);
      // As large as the size itself, it was meant for others.
      return half === undefined || half >= size.nominal ? undefined : { half, from };
    },
    whyNot: (size) => {
      const name = from === 'general' ? `the general tolerance ${stated}` : from;
      if (size.kind === 'angle') return `${name} states no ± for angles`;
      const isEdge = size.kind === 'radius' || size.kind === 'chamfer';
      if (isEdge && from !== 'general')
        return `${name} gives its ± to sizes across surfaces, and a ${size.kind} is none`;
      if (!LENGTHS.has(size.kind) && !isEdge) return `${name} gives nothing for a ${wordOf(size.kind)}`;
      const all = rows.length > 0 ? rows : lengths;
      if (all.length === 0) return `${name} states no ± for lengths`;
      const half = chosenHalf(all, size);
      if (half !== undefined) return `${name} would be ±${half}, as large as the size`;
      const fitting = all.filter(({ places }) => places === undefined || places === size.places);
      if (fitting.length === 0)
        return `${name} says nothing for ${size.places === FRACTIONS ? 'fractions' : `${size.places} decimals`}`;
      return fitting.length > 1
        ? `${name} states several values for this size`
        : `${name} is stated by decimals in the other unit`;
    },
  };
}

/** In words, why what is stated as general tolerance has no rules ({@link generalRules}). */
export function whyNoRules(stated: string): string {
  if (FOR_SOME_FACES.test(stated)) return `${stated} holds for some faces alone`;
  if (new Set(classesIn(stated).map(({ name }) => name)).size > 1)
    return `two classes are stated (${stated}), and none is taken`;
  if (/\b(?:ISO 2768|JIS B 0405|GB\/T 1804)\b/.test(stated)) return `${stated} names no class of lengths`;
  return `the general tolerance ${stated} states no ± that is understood`;
}

/** `arc length`, as people say `arcLength`. */
function wordOf(kind: DimensionKind): string {
  return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The one of the stated halves that holds for a size, in its unit; undefined for none, and where they contradict. */
function chosenHalf(stated: readonly StatedHalf[], { places, isInch, isDrawingInch }: GeneralSize): number | undefined {
  const all = stated.filter((each) => each.places === undefined || each.places === places);
  const own = all.filter(({ unit }) => (unit === undefined ? isDrawingInch : unit === 'in') === isInch);
  const [half, ...others] = new Set((own.length > 0 ? own : all).map(({ written }) => numberOf(written)));
  if (half === undefined || others.length > 0) return undefined;
  if (own.length > 0) return half;
  // How many decimals an inch has says nothing about millimetres.
  if (all.some((each) => each.places !== undefined)) return undefined;
  return isInch ? inInches(half) : Math.round(half * MILLIMETRES.in * 1e4) / 1e4;
}

function rulesOf2768(name: GeneralClass, from: string): GeneralRules {
  return {
    of: ({ kind, nominal, isInch }) => {
      if (kind === 'angle') {
        const halves = generalAngles(name);
        return { from: `${from}: ±${shown(halves[0])}° to ±${shown(halves[halves.length - 1])}° by the shorter side` };
      }
      const isEdge = kind === 'radius' || kind === 'chamfer';
      if (!LENGTHS.has(kind) && !isEdge) return undefined;
      const half = generalTolerance(isInch ? nominal * MILLIMETRES.in : nominal, name, isEdge);
      if (half === undefined) return undefined;
      return { half: isInch ? inInches(half) : half, from };
    },
    whyNot: ({ kind, nominal }) =>
      !LENGTHS.has(kind) && kind !== 'radius' && kind !== 'chamfer'
        ? `${from} gives nothing for a ${wordOf(kind)}`
        : `${from} gives nothing for a size of ${nominal}`,
  };
}

function inInches(mm: number): number {
  return Math.round((mm / MILLIMETRES.in) * 1e5) / 1e5 || 0;
}

function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Whether deviations come from a general tolerance, by {@link import('../inspection.js').InspectionRow.from}. */
export function isGeneral(from: string): boolean {
  return /^(?:ISO 2768|JIS B 0405|GB\/T 1804|ISO 22081$|general$)/.test(from);
}
