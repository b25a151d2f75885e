import { addTo, DisjointSets } from '../content/groups.js';
import { isDepthByWordBehind } from './dimension-words.js';
import { PMI_TYPE, type PmiObject } from './pmi.js';

/** Annotations are read in rows as high as this share of the page. */
const ROW_SHARE = 1 / 16;

/**
 * Annotations whose gap is at most this many heights of their text stand together, as a size and the frame below it.
 */
const GAP_HEIGHTS = 0.8;
/** The same above the depth and the counterbore of a hole, which go on from the line above. */
const GAP_OF_HOLE = 1.3;

/**
 * Annotations that stand together, with each other in reach of a glance. `top` and `left` are those of the upright box
 * around all of them, in pixels.
 */
export interface Stack {
  readonly objects: PmiObject[];
  readonly top: number;
  readonly left: number;
}

/**
 * Sizes and frames of a page in the order in which an inspector numbers them: from the upper left, row by row; those
 * that stand together (a size, its depth, its control frame) follow each other, line by line along their text.
 * @param heightPx of the page; 0 for a model, whose annotations have no place and keep their order.
 */
export function inReadingOrder(objects: readonly PmiObject[], heightPx: number): readonly PmiObject[] {
  if (heightPx === 0) return objects;
  const waiting = stacksOf(objects).sort((a, b) => a.top - b.top || a.left - b.left);
  const ordered: PmiObject[] = [];
  for (let i = 0; i < waiting.length; ) {
    const end = waiting[i].top + ROW_SHARE * heightPx;
    const row: Stack[] = [];
    for (; i < waiting.length && waiting[i].top < end; i++) row.push(waiting[i]);
    row.sort((a, b) => a.left - b.left || a.top - b.top);
    for (const stack of row) ordered.push(...linesOf(stack.objects));
  }
  return ordered;
}

/** Groups of annotations of which each is near to another one of its group. */
export function stacksOf(objects: readonly PmiObject[]): Stack[] {
  const sets = new DisjointSets(objects.length);
  // In the order of their left edges, so that only neighbours are compared.
  const byLeft = objects.map((_, i) => i).sort((a, b) => objects[a].box[0] - objects[b].box[0] || a - b);
  for (const [at, i] of byLeft.entries()) {
    const [x, , width] = objects[i].box;
    const reach = x + width + GAP_OF_HOLE * heightOf(objects[i]);
    for (let next = at + 1; next < byLeft.length; next++) {
      const j = byLeft[next];
      if (objects[j].box[0] > reach) break;
      if (sets.rootOf(i) !== sets.rootOf(j) && standTogether(objects[i], objects[j])) sets.join(i, j);
    }
  }
  const groups = new Map<number, PmiObject[]>();
  for (const [i, object] of objects.entries()) addTo(groups, sets.rootOf(i), object);
  return [...groups.values()].map((group) => ({
    objects: group,
    top: Math.min(...group.map(({ box }) => box[1])),
    left: Math.min(...group.map(({ box }) => box[0])),
  }));
}

/** Whether two texts of the same direction are at most {@link gapOf} apart along it and across it. */
export function standTogether(a: PmiObject, b: PmiObject): boolean {
  const height = Math.min(heightOf(a), heightOf(b));
  // The upright boxes first, and before any words are read, because pages may hold thousands of annotations.
  const most = GAP_OF_HOLE * height;
  if (a.box[1] > b.box[1] + b.box[3] + most || b.box[1] > a.box[1] + a.box[3] + most) return false;
  const gap = gapOf(a, b) * height;
  if (a.box[1] > b.box[1] + b.box[3] + gap || b.box[1] > a.box[1] + a.box[3] + gap) return false;
  const angle = angleOf(a);
  if (Math.abs(angle - angleOf(b)) > 5) return false;
  const one = placeOf(a, angle);
  const other = placeOf(b, angle);
  const apartAlong = Math.abs(one.along - other.along) - (one.width + other.width) / 2;
  const apartAcross = Math.abs(one.across - other.across) - (one.height + other.height) / 2;
  return apartAlong <= gap && apartAcross <= gap;
}

function gapOf(...pair: readonly PmiObject[]): number {
  const goesOn = pair.some(
    ({ typeId, parts: [first] }) =>
      typeId === PMI_TYPE.depth ||
      typeId === PMI_TYPE.counterbore ||
      (typeId !== PMI_TYPE.diameter && first !== undefined && isDepthByWordBehind(first.text)),
  );
  return goesOn ? GAP_OF_HOLE : GAP_HEIGHTS;
}

/** Annotations that stand together, line by line in the direction of their text. */
function linesOf(stack: readonly PmiObject[]): PmiObject[] {
  if (stack.length === 1) return [...stack];
  const angle = angleOf(stack[0]);
  const waiting = stack.map((object) => ({ object, ...placeOf(object, angle) }));
  waiting.sort((a, b) => a.across - b.across || a.along - b.along);
  const ordered: PmiObject[] = [];
  for (let i = 0; i < waiting.length; ) {
    const end = waiting[i].across + waiting[i].height / 2;
    const line: typeof waiting = [];
    for (; i < waiting.length && waiting[i].across <= end; i++) line.push(waiting[i]);
    line.sort((a, b) => a.along - b.along || a.across - b.across);
    ordered.push(...line.map(({ object }) => object));
  }
  return ordered;
}

/** Direction of reading, degrees clockwise from the x axis. */
function angleOf({ orientedBox }: PmiObject): number {
  return orientedBox?.angleDeg ?? 0;
}

/** Height of the box across its text, pixels. */
function heightOf({ box, orientedBox }: PmiObject): number {
  return orientedBox?.height ?? box[3];
}

/** Where the middle of an annotation is along and across a direction, and its sides, pixels. */
function placeOf(
  { box: [x, y, width, height], orientedBox }: PmiObject,
  angleDeg: number,
): { readonly along: number; readonly across: number; readonly width: number; readonly height: number } {
  const middle = orientedBox ?? { x: x + width / 2, y: y + height / 2, width, height };
  const cos = Math.cos((angleDeg * Math.PI) / 180);
  const sin = Math.sin((angleDeg * Math.PI) / 180);
  return {
    along: middle.x * cos + middle.y * sin,
    across: middle.y * cos - middle.x * sin,
    width: middle.width,
    height: middle.height,
  };
}
