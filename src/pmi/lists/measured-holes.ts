import type { ComparedAnnotation, ComparedItem, MeasuredHole, SizeItem } from './compared-items.js';
import type { PmiDifference } from './differences.js';

/** What a model's holes say of a size that only the drawing states. */
interface Measured {
  readonly said: ComparedAnnotation;
  readonly differences: readonly PmiDifference[];
}

/** Sizes without limits agree within this share, which is wider than a drill is worn and narrower than the next one. */
const SAME = 0.002;
/** Walls are modelled at the middle of a tolerance or at its end. */
const LIMIT_SLACK = 1e-3;

const SUNK: Readonly<Partial<Record<SizeItem['kind'], NonNullable<MeasuredHole['sunk']>>>> = Object.freeze({
  counterbore: 'counterbored',
  countersink: 'countersunk',
});
const SIGN = Object.freeze({ counterbored: '⌴', countersunk: '⌵' });

/**
 * The mouth of a hole, or its depth, as a model has it whose annotations do not state it. Undefined where the model has
 * no such hole, so that nothing is known, and for other sizes.
 * @param items all annotations of the drawing: those of the same callout tell which hole is meant.
 */
export function measuredHole(
  item: ComparedItem,
  items: readonly ComparedItem[],
  holes: readonly MeasuredHole[],
): Measured | undefined {
  if (item.family !== 'size' || (SUNK[item.kind] === undefined && item.kind !== 'depth')) return undefined;
  const callout = calloutOf(item, items);
  const meant = holes.filter(({ diameterMm = 0 }) => callout.some((hole) => isSame(hole, diameterMm)));
  const sunk = SUNK[item.kind];
  if (sunk !== undefined) {
    const [found, ...others] = measures(
      meant.filter((hole) => hole.sunk === sunk),
      ({ sunkDiameterMm }) => sunkDiameterMm,
    );
    const equal = [found, ...others].find((each) => each !== undefined && isSame(item, each.value));
    if (equal !== undefined) return said(item, equal, `${SIGN[sunk]}⌀`);
    return found === undefined || others.length > 0 ? undefined : said(item, found, `${SIGN[sunk]}⌀`);
  }
  // A depth is that of the mouth or of the hole.
  const isOfMouth = callout.some(({ kind }) => SUNK[kind] !== undefined);
  const depths = [
    ...(isOfMouth ? measures(meant, ({ sunkDepthMm }) => sunkDepthMm) : []),
    ...measures(
      meant.filter(({ isThrough }) => isThrough === false),
      ({ depthMm }) => depthMm,
    ),
  ];
  const equal = depths.find(({ value }) => isSame(item, value));
  if (equal !== undefined) return said(item, equal, '↧');
  return depths.length === 1 ? said(item, depths[0], '↧') : undefined;
}

interface Value {
  readonly value: number;
  readonly count: number;
}

/** Different values of some holes, each with the number of holes that have it. */
function measures(holes: readonly MeasuredHole[], of: (hole: MeasuredHole) => number | undefined): readonly Value[] {
  const found = new Map<number, number>();
  for (const hole of holes) {
    const value = of(hole);
    if (value === undefined) continue;
    const known = [...found.keys()].find((other) => Math.abs(other - value) <= SAME * value) ?? value;
    found.set(known, (found.get(known) ?? 0) + hole.count);
  }
  return [...found].map(([value, count]) => ({ value, count }));
}

/** The sizes of one annotation, and those that stand beside it. */
function calloutOf(item: SizeItem, items: readonly ComparedItem[]): readonly SizeItem[] {
  const { around = [], said } = item;
  return items.filter(
    (other): other is SizeItem =>
      other.family === 'size' &&
      other !== item &&
      other.said.page === said.page &&
      (other.said.id === said.id || (other.around !== undefined && around.length > 0 && standBeside(item, other))),
  );
}

/** Annotations of one callout have the same about them, but for themselves. */
function standBeside({ place: a }: SizeItem, { place: b }: SizeItem): boolean {
  return a !== undefined && b !== undefined && Math.hypot(a.x - b.x, a.y - b.y) < NEAR;
}

/** How far annotations of one callout are apart at most, as a share of the page's longer side. */
const NEAR = 0.06;

function isSame({ nominal, limits, slack }: SizeItem, value: number): boolean {
  if (limits !== undefined && value >= limits.least - LIMIT_SLACK && value <= limits.most + LIMIT_SLACK) return true;
  return Math.abs(nominal - value) <= Math.max(SAME * value, slack > 0.05 ? 0 : slack);
}

function said(item: SizeItem, { value, count }: Value, sign: string): Measured {
  const shown = String(Math.round(value * 1e3) / 1e3);
  return {
    said: { page: 0, id: 0, kind: item.said.kind, reading: `${sign}${shown} mm, measured on ${count} of its holes` },
    differences: isSame(item, value)
      ? []
      : [{ what: 'nominal', first: `${Math.round(item.nominal * 1e5) / 1e5} mm`, second: `${shown} mm` }],
  };
}
