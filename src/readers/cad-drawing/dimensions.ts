import type { Dimension } from '@node-projects/acad-ts';
import type { DimensionFacts } from '../../content/sheet.js';
import { positive, quietly, type AcadTs } from './texts.js';
import { generatedTexts, writesFractions } from './dimension-style.js';
import { plainMtext } from './mtext.js';
import { project, type Point3, type Projection } from './projection.js';
import type { SheetWriter } from '../sheet/sheet-writer.js';
import { sweepOf } from './strokes.js';

const DEGREES = 180 / Math.PI;
/** Bits of a dimension's flags that hold its kind; 0 is a linear one. */
const KIND_BITS = 7;

/** The facts of a dimension: type, measurement, tolerance, and its points in the plane of `view`. */
export function dimensionFacts(acad: AcadTs, entity: Dimension, view: Projection): DimensionFacts {
  const type = typeOf(acad, entity);
  const style = quietly(() => entity.getActiveDimensionStyle(), entity.style);
  const factor = Math.abs(style?.linearScaleFactor ?? 1);
  const scale = type === 'angular' ? DEGREES : Number.isFinite(factor) && factor > 0 ? factor : 1;
  const measured = quietly(() => measurementOf(acad, entity, type), 0);
  const { plusTolerance, minusTolerance, generateTolerances, limitsGeneration, dimensionLineGap } = style ?? {};
  const hasTolerance =
    (generateTolerances === true || limitsGeneration === true) &&
    Number.isFinite(plusTolerance) &&
    Number.isFinite(minusTolerance);
  return {
    type,
    measurement: Number.isFinite(measured) ? measured * scale : 0,
    ...(hasTolerance && {
      tolerance: {
        upper: plusTolerance ?? 0,
        lower: -(minusTolerance ?? 0),
        shown: limitsGeneration === true ? 'limits' : 'deviation',
      },
    }),
    ...(dimensionLineGap !== undefined && dimensionLineGap < 0 && { isBasic: true }),
    ...(isTyped(entity) && { isTyped: true }),
    ...(roundedTo(style) > 0 && { roundedTo: roundedTo(style) }),
    points: pointsOf(acad, entity).map(({ x, y, z }) => {
      const [px, py] = project(view, x, y, z ?? 0);
      return { x: px, y: py };
    }),
  };
}

/** To which a style rounds: its own rounding, and the smallest fraction of an inch. */
function roundedTo(style: Dimension['style'] | undefined): number {
  const { rounding = 0, decimalPlaces = 0 } = style ?? {};
  const fraction = writesFractions(style) ? 2 ** -Math.max(0, Math.min(8, decimalPlaces)) : 0;
  return Math.max(Number.isFinite(rounding) ? rounding : 0, Number.isFinite(fraction) ? fraction : 0);
}

/** What a typed dimension states, where its block says something else in figures; undefined where both agree. */
export function unlikeBlock(entity: Dimension, stated: string, written: string): string | undefined {
  const figures = (text: string): string => text.replace(/[^\d.,/]/g, '');
  return isTyped(entity) && figures(stated) !== figures(written) ? stated : undefined;
}

function isTyped({ text }: Dimension): boolean {
  return plainMtext(text ?? '').trim() !== '' && !text!.includes('<>');
}

/** Signs of kinds, and what before the place of a measurement in a typed text stands in their place: `M<>`, `%%c<>`. */
const SIGNS: Readonly<Partial<Record<DimensionFacts['type'], string>>> = { diameter: '⌀', radius: 'R', arcLength: '⌒' };
const OWN_SIGN = /(?:[⌀ØøΦφ∅□⌒]\s*|[A-WYZ])$/u;

/**
 * The text of a dimension without a block. `<>` in its text stands for the measurement, and for that in a second unit
 * too, where `[]` does not stand for it. A blank text suppresses it.
 */
export function statedText(entity: Dimension, facts: DimensionFacts): string {
  const style = quietly(() => entity.getActiveDimensionStyle(), entity.style);
  const { primary, alternate } = generatedTexts(facts, style, SIGNS[facts.type] ?? '');
  const text = entity.text ?? '';
  if (text === '') return plainMtext(besides(primary, alternate));
  if (plainMtext(text).trim() === '') return '';
  const [before, ...behind] = text.split('<>');
  if (behind.length === 0) return plainMtext(text);
  const unsigned = OWN_SIGN.test(plainMtext(before)) ? primary.replace(/^[⌀R⌒]/, '') : primary;
  const own = /^(?:%%d|°)/i.test(behind[0]) ? unsigned.replace(/°$/, '') : unsigned;
  const hasPlace = alternate !== '' && text.includes('[]');
  const whole = [before, ...behind].join(hasPlace ? own : besides(own, alternate));
  return plainMtext(hasPlace ? whole.replaceAll('[]', alternate) : whole);
}

function besides(primary: string, alternate: string): string {
  return alternate === '' ? primary : `${primary} ${alternate}`;
}

/** A sign that a converter replaced by a question mark, because its code page did not hold it. */
const LOST_SIGN = String.raw`[?\uFFFD]`;
const LOST_DEGREE = new RegExp(String.raw`(\d)${LOST_SIGN}`, 'g');
const LOST_DIAMETER = new RegExp(String.raw`(^|[\sx×])${LOST_SIGN}(?=\s?\d)`, 'gm');

/**
 * The text of a dimension's block with the sign that its kind has and that was lost in conversion: `108?` of an angle
 * is 108°, `?20` of a diameter ⌀20. Other question marks stay.
 */
export function withLostSigns(text: string, { type }: DimensionFacts): string {
  if (type === 'angular') return text.replace(LOST_DEGREE, '$1°');
  return type === 'diameter' ? text.replace(LOST_DIAMETER, '$1⌀') : text;
}

/** Draws a dimension without a block: extension lines, dimension line or arc. */
export function drawDimension(acad: AcadTs, entity: Dimension, view: Projection, writer: SheetWriter): void {
  const line = (from: readonly [number, number], to: readonly [number, number]): void => {
    writer.move(...from);
    writer.line(...to);
  };
  const at = ({ x, y, z }: Point3): [number, number] => project(view, x, y, z ?? 0);
  if (entity instanceof acad.DimensionAligned) {
    const first = at(entity.firstPoint),
      second = at(entity.secondPoint),
      through = at(entity.definitionPoint);
    const rotation =
      typeOf(acad, entity) === 'linear'
        ? rotationOf(entity)
        : Math.atan2(entity.secondPoint.y - entity.firstPoint.y, entity.secondPoint.x - entity.firstPoint.x);
    const [ox, oy] = project(view, 0, 0, 0),
      [rx, ry] = project(view, Math.cos(rotation), Math.sin(rotation), 0);
    const length = Math.hypot(rx - ox, ry - oy);
    if (!(length > 0)) return;
    const [ux, uy] = [(rx - ox) / length, (ry - oy) / length];
    const foot = ([x, y]: readonly [number, number]): [number, number] => {
      const along = (x - through[0]) * ux + (y - through[1]) * uy;
      return [through[0] + along * ux, through[1] + along * uy];
    };
    line(first, foot(first));
    line(second, foot(second));
    line(foot(first), foot(second));
  } else if (entity instanceof acad.DimensionRadius || entity instanceof acad.DimensionDiameter)
    line(at(entity.definitionPoint), at(entity.angleVertex));
  else if (entity instanceof acad.DimensionOrdinate) line(at(entity.featureLocation), at(entity.leaderEndpoint));
  else if (entity instanceof acad.DimensionAngular3Pt) {
    const centre = at(entity.angleVertex),
      first = at(entity.firstPoint),
      second = at(entity.secondPoint),
      through = at(entity.definitionPoint);
    const start = Math.atan2(first[1] - centre[1], first[0] - centre[0]),
      end = Math.atan2(second[1] - centre[1], second[0] - centre[0]);
    const middle = Math.atan2(through[1] - centre[1], through[0] - centre[0]);
    const radius = Math.hypot(through[0] - centre[0], through[1] - centre[1]);
    // Of the two arcs, draw the one that passes through the point.
    if (sweepOf(start, middle) <= sweepOf(start, end)) writer.arc(...centre, radius, start, sweepOf(start, end));
    else writer.arc(...centre, radius, end, sweepOf(end, start));
  }
}

function typeOf(acad: AcadTs, entity: Dimension): DimensionFacts['type'] {
  if (entity instanceof acad.DimensionArc) return 'arcLength';
  if (entity instanceof acad.DimensionOrdinate) return 'ordinate';
  if (entity instanceof acad.DimensionRadius) return 'radius';
  if (entity instanceof acad.DimensionDiameter) return 'diameter';
  if (entity instanceof acad.DimensionAngular2Line || entity instanceof acad.DimensionAngular3Pt) return 'angular';
  // When it reads DXF, acad-ts 3.2.0 turns horizontal linear dimensions into aligned ones.
  return entity instanceof acad.DimensionLinear || (entity.flags & KIND_BITS) === 0 ? 'linear' : 'aligned';
}

function measurementOf(acad: AcadTs, entity: Dimension, type: DimensionFacts['type']): number {
  if (type !== 'linear' || !(entity instanceof acad.DimensionAligned)) return entity.measurement;
  const rotation = rotationOf(entity);
  return Math.abs(
    (entity.secondPoint.x - entity.firstPoint.x) * Math.cos(rotation) +
      (entity.secondPoint.y - entity.firstPoint.y) * Math.sin(rotation),
  );
}

function rotationOf(entity: Dimension & { readonly rotation?: number }): number {
  return positive(Math.abs(entity.rotation ?? 0)) === undefined ? 0 : (entity.rotation ?? 0);
}

function pointsOf(acad: AcadTs, entity: Dimension): Point3[] {
  const { definitionPoint } = entity;
  let points: (Point3 | undefined)[];
  if (entity instanceof acad.DimensionAligned) points = [entity.firstPoint, entity.secondPoint, definitionPoint];
  else if (entity instanceof acad.DimensionRadius || entity instanceof acad.DimensionDiameter)
    points = [definitionPoint, entity.angleVertex];
  else if (entity instanceof acad.DimensionOrdinate) points = [entity.featureLocation, entity.leaderEndpoint];
  else if (entity instanceof acad.DimensionAngular2Line)
    points = [entity.firstPoint, entity.secondPoint, entity.angleVertex, definitionPoint, entity.dimensionArc];
  else if (entity instanceof acad.DimensionAngular3Pt)
    points = [entity.firstPoint, entity.secondPoint, entity.angleVertex, definitionPoint];
  else if (entity instanceof acad.DimensionArc) points = [entity.firstPoint, entity.secondPoint, entity.center];
  else points = [definitionPoint];
  return points.filter(
    (point): point is Point3 => point !== undefined && Number.isFinite(point.x) && Number.isFinite(point.y),
  );
}
