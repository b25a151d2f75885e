import type { Bitmap, Component, Components, PixelBox } from '../../../bitmap/bitmap.js';
import { unionOf } from '../../../content/geometry.js';
import type { InkLine } from '../ink-lines.js';
import { bandOf } from '../line-bands.js';

/** The height of both halves together, across the line, in heights of letters. */
const HIGH = [0.7, 1.35] as const;
/** The others in the height of both halves: their width at most, the height of each at least. */
const WIDE = 1.15;
const HALF = 0.15;
/** How far apart along the line they may end at it, without its thickness. */
const APART = 0.6;
/** Thicker lines are none that run through letters. */
const THICK = 0.35;
/** Least share of the narrower half that stands across the line from the other one. */
const OVERLAP = 0.5;

/** Where a piece ends at one side of a line: first place along it, and the place behind the last one. */
type Contact = [from: number, to: number];

interface Part {
  readonly inside: Bitmap;
  readonly left: Uint8Array;
  readonly least: number;
  readonly most: number;
}

/**
 * Pieces where the halves of letters are one again that a line runs through: a line takes the ink of a letter that
 * lies along it, as the upper side of the bowl of a 5, and of what crosses it askew, as the neck of a 2. Two pieces are
 * halves of a letter where both end at the line, across from each other, and are together as high as a letter.
 * @param lines level and upright lines that were taken out.
 * @param part the ink before that; what was left of it, which gets back what joins the halves; the least and the
 *   largest height of most letters, pixels.
 */
export function rejoined(
  { labels, list }: Components,
  lines: readonly InkLine[],
  { inside, left, least, most }: Part,
): Components {
  const { width, height } = inside;
  const all: Component[] = [...list];
  for (const line of lines) {
    const { across, along, from, to, first, last, rows } = bandOf(line, { width, height });
    if (first < 1 || last + 1 >= rows) continue;
    const [before, behind] = [first - 1, last + 1].map((row) => contactsOf(labels, row * across, { along, from, to }));
    const isLevel = along === 1;
    for (const [one, place] of before)
      for (const [other, opposite] of behind) {
        const high = one === other ? 0 : heightOfHalves(all[one], all[other], isLevel);
        if (high < HIGH[0] * least || high > HIGH[1] * most || line.thickness > THICK * high) continue;
        const [start, end] = betweenOf(place, opposite, last - first + 1);
        if (end - start > APART * high + 2 * (last - first + 1)) continue;
        let area = all[one].area + all[other].area;
        relabel(labels, all[other], { from: other, to: one, width });
        for (let i = Math.max(from, start); i < Math.min(to, end); i++)
          for (let row = first; row <= last; row++) {
            const at = row * across + i * along;
            if (inside.bits[at] === 0 || labels[at] !== 0) continue;
            labels[at] = one;
            left[at] = 1;
            area++;
          }
        all[one] = { box: unionOf(all[one].box, all[other].box), area };
        all[other] = { box: { x0: 0, y0: 0, x1: 0, y1: 0 }, area: 0 };
        behind.delete(other);
      }
  }
  return { labels, list: all };
}

/** The pieces that stand in a row beside a line, by their numbers. */
function contactsOf(
  labels: Int32Array,
  start: number,
  { along, from, to }: { readonly along: number; readonly from: number; readonly to: number },
): Map<number, Contact> {
  const found = new Map<number, Contact>();
  for (let i = from; i < to; i++) {
    const label = labels[start + i * along];
    if (label === 0) continue;
    const known = found.get(label);
    if (known === undefined) found.set(label, [i, i + 1]);
    else known[1] = i + 1;
  }
  return found;
}

/** The height of two pieces across a line, 0 where they are no halves of a letter. */
function heightOfHalves(a: Component, b: Component, isLevel: boolean): number {
  if (a.area === 0 || b.area === 0) return 0;
  const alongOf = ({ x0, y0, x1, y1 }: PixelBox): Contact => (isLevel ? [x0, x1] : [y0, y1]);
  const highOf = ({ x0, y0, x1, y1 }: PixelBox): number => (isLevel ? y1 - y0 : x1 - x0);
  const both = unionOf(a.box, b.box);
  const high = highOf(both);
  const [[fromA, toA], [fromB, toB], [from, to]] = [a.box, b.box, both].map(alongOf);
  if (to - from > WIDE * high || Math.min(highOf(a.box), highOf(b.box)) < HALF * high) return 0;
  const shared = Math.min(toA, toB) - Math.max(fromA, fromB);
  return shared >= OVERLAP * Math.min(toA - fromA, toB - fromB) ? high : 0;
}

/** The places along the line from where one half ends at it to where the other one does, and a pen's width of each. */
function betweenOf(a: Contact, b: Contact, pen: number): Contact {
  const from = Math.max(a[0], b[0]),
    to = Math.min(a[1], b[1]);
  return from < to ? [from, to] : [to - pen, from + pen];
}

function relabel(
  labels: Int32Array,
  { box: { x0, y0, x1, y1 } }: Component,
  { from, to, width }: { readonly from: number; readonly to: number; readonly width: number },
): void {
  for (let y = y0; y < y1; y++)
    for (let i = y * width + x0; i < y * width + x1; i++) if (labels[i] === from) labels[i] = to;
}
