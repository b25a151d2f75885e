import { isLevel, isUpright, lengthOf, TurnedFrame } from '../content/geometry.js';
import { addTo, medianOf } from '../content/groups.js';
import { plainSigns } from './dimension-text.js';
import type { DrawnSymbol } from './drawn-symbols.js';
import type { Edge, LineIndex } from './line-index.js';
import { boxOfBoxes } from './page-frame.js';
import { PMI_TYPE } from './pmi.js';
import { boxOfLine, type TextLine } from './text-lines.js';

/** A throat, a leg or a depth of a weld: `a5`, `z6`, `s8`, also with what is behind it. */
const SIZED = /^[asz]\s?\d{1,2}(?:[.,]\d)?(?!\d)/;
/** What else stands about a reference line: sizes, `3x50(100)`, `2-4`, processes `111`, `135/ISO 5817-C`. */
const BESIDE =
  /^(?:\d[\d.,/x×() -]*|\(\d[\d.,]*\)|\d{2,3}\s?[/-]\s?[\p{L}\d /:-]+|(?:EN |DIN |ISO )+\d[\d-]*.*|TYP\.?)$/u;
/** Sizes beside which `s6` or `a11` is a tolerance class: `⌀20`, `20 H7`. */
const FITTED = /⌀|\d\s?[A-Za-z]{1,2}\d{1,2}(?!\d)/;
/** Longer texts are notes. */
const LONGEST = 24;
/** Most texts of a sheet that may be those of weld symbols, most leaders, symbols, and strokes of one. */
const MOST_TEXTS = 1_000;
const MOST_LEADERS = 2_000;
const MOST_SYMBOLS = 300;
const MOST_STROKES = 100;

/** In letter heights: texts above and below the reference line by their baselines, and behind its tail. */
const ABOVE = 1.2;
const BELOW = [0.5, 1.8] as const;
const TAIL = 4;
/** The middle of letters above their baseline. */
const MIDDLE = 0.35;
/** How near strokes meet, and how long those of a symbol are. */
const MEET = 0.15;
const STROKE = [0.5, 4] as const;
/** Strokes of a groove are equally high within this share. */
const SAME_HEIGHT = 0.15;
/** A reference line is so long at least, and its leader is slanted by so much, as a share. */
const LEAST = 3;
const SLANTED = 0.1;
/** Strokes of a tail are as steep as this; sides of an arrow that points at the end of a line are not. */
const STEEP_TAIL = 0.4;
/** Most directions of lines that are looked at. */
const MOST_DIRECTIONS = 16;

/** Lines of a sheet as texts of one direction see them. */
type Lines = Pick<LineIndex, 'edges' | 'near'>;

/**
 * Weld symbols (ISO 2553, AWS A2.4) with their texts, in any direction: a reference line that a leader meets at one
 * end, with a fillet or a groove on it, a tail of two strokes, or a size that only welds have. Lengths and numbers of
 * processes are no sizes.
 */
export function weldSymbols(lines: readonly TextLine[], index: LineIndex): DrawnSymbol[] {
  const byAngle = new Map<number, TextLine[]>();
  for (const line of lines) addTo(byAngle, line.angleRad, line);
  return [...byAngle]
    .filter(([, own]) => own.some(({ text }) => mayBeOfWeld(text)))
    .slice(0, MOST_DIRECTIONS)
    .flatMap(([angleRad, own]) => symbolsOf(own, asSeenAt(angleRad, index)))
    .slice(0, MOST_SYMBOLS);
}

function asSeenAt(angleRad: number, index: LineIndex): Lines {
  const frame = new TurnedFrame(angleRad);
  return {
    edges: frame.isLevel ? index.edges : index.edges.map((edge) => frame.turned(edge)),
    near: (s, t, reach) => index.nearIn(frame, s, t, reach),
  };
}

/** The symbols of texts of one direction. */
function symbolsOf(lines: readonly TextLine[], index: Lines): DrawnSymbol[] {
  const texts = lines.filter(({ text }) => mayBeOfWeld(text)).slice(0, MOST_TEXTS);
  const usual = medianOf(texts.map(({ height }) => height));
  const references = usual === undefined ? [] : referencesIn(index, usual);
  const fitted = lines.filter(({ text }) => !mayBeOfWeld(text) && FITTED.test(plainSigns(text))).slice(0, MOST_TEXTS);
  const symbols = new Map<Edge, TextLine[]>();
  for (const line of texts) {
    const reference = references.find((edge) => standsAbout(line, edge));
    if (reference !== undefined) addTo(symbols, reference, line);
  }
  return [...symbols].flatMap(([reference, own]): DrawnSymbol[] => {
    const { height } = own[0];
    const isWeld =
      (own.some(({ text }) => SIZED.test(plainSigns(text))) && !fitted.some((line) => standsAbout(line, reference))) ||
      hasTail(reference, index, height) ||
      hasFillet(reference, index, height) ||
      hasGroove(reference, index, height);
    if (!isWeld) return [];
    const ordered = own.toSorted((a, b) => a.start - b.start);
    const text = ['weld', ...ordered.map((line) => plainSigns(line.text))].join(' ');
    const box = boxOfBoxes(ordered.map((line) => boxOfLine(line)));
    return [{ lines: own, finding: { type: PMI_TYPE.leader, box, parts: [{ text }] } }];
  });
}

function mayBeOfWeld(text: string): boolean {
  const plain = plainSigns(text);
  return plain.length <= LONGEST && (SIZED.test(plain) || BESIDE.test(plain));
}

/** Level lines that a slanted one meets at an end. */
function referencesIn(index: Lines, height: number): Edge[] {
  const leaders = index.edges.filter((edge) => isSlanted(edge) && lengthOf(edge) > height).slice(0, MOST_LEADERS);
  const ends = leaders.flatMap(({ x0, y0, x1, y1 }) => [[x0, y0] as const, [x1, y1] as const]);
  const found = ends.flatMap(([x, y]) =>
    index
      .near(x, y, MEET * height)
      .filter(
        (edge) =>
          isLevel(edge, 0.02) && lengthOf(edge) > LEAST * height && farEnd(edge, x, y, MEET * height) !== undefined,
      ),
  );
  return [...new Set(found)].slice(0, MOST_LEADERS);
}

/** Whether a text stands above, below or right behind a line. */
function standsAbout({ start, end, t, height }: TextLine, { x0, x1, y0 }: Edge): boolean {
  const [from, to] = [Math.min(x0, x1), Math.max(x0, x1)];
  const down = t - y0;
  if (start > from - height && end < to + height)
    return (down < 0 && down > -ABOVE * height) || (down > BELOW[0] * height && down < BELOW[1] * height);
  const isLevelWith = Math.abs(down - MIDDLE * height) < height;
  return isLevelWith && ((start >= to && start < to + TAIL * height) || (end <= from && end > from - TAIL * height));
}

/** Whether two strokes lead away from an end of a line, one up and one down. */
function hasTail({ x0, x1, y0 }: Edge, index: Lines, height: number): boolean {
  return [x0, x1].some((x) => {
    const ends = index.near(x, y0, MEET * height).flatMap((edge) => {
      const size = lengthOf(edge);
      const isSteep = Math.abs(edge.y1 - edge.y0) > STEEP_TAIL * Math.abs(edge.x1 - edge.x0) && isSlanted(edge);
      const far = isSteep ? farEnd(edge, x, y0, MEET * height) : undefined;
      const isOutward = far !== undefined && (far[0] - x) * (x - (x0 + x1) / 2) > 0;
      return isOutward && size > STROKE[0] * height && size < STROKE[1] * height ? [Math.sign(far[1] - y0)] : [];
    });
    return ends.includes(1) && ends.includes(-1);
  });
}

/** Whether a right-angled triangle stands on a line: the sign of a fillet weld. */
function hasFillet({ x0, x1, y0 }: Edge, index: Lines, height: number): boolean {
  const [from, to] = [Math.min(x0, x1), Math.max(x0, x1)];
  const isOn = (x: number, at: number): boolean => Math.abs(at - y0) < MEET * height && x > from && x < to;
  const near = index.near((from + to) / 2, y0, (to - from) / 2);
  const slanted = near.filter(isSlanted).slice(0, MOST_STROKES);
  return near
    .filter((leg) => isUpright(leg, 0.02) && (isOn(leg.x0, leg.y0) || isOn(leg.x1, leg.y1)))
    .slice(0, MOST_STROKES)
    .some((leg) => {
      const size = lengthOf(leg);
      const top = isOn(leg.x0, leg.y0) ? leg.y1 : leg.y0;
      return (
        size > STROKE[0] * height &&
        size < STROKE[1] * height &&
        slanted.some((edge) => {
          const far = farEnd(edge, leg.x0, top, MEET * height);
          return far !== undefined && isOn(far[0], far[1]);
        })
      );
    });
}

/**
 * Whether strokes of one length stand on one place of a line, one to the left and one to the right or upright: signs of
 * butt welds with a V and a half one. Those of a mark of roughness differ in length.
 */
function hasGroove({ x0, x1, y0 }: Edge, index: Lines, height: number): boolean {
  const [from, to] = [Math.min(x0, x1) + MEET * height, Math.max(x0, x1) - MEET * height];
  const legs = index
    .near((from + to) / 2, y0, (to - from) / 2)
    .flatMap((edge) => {
      const size = Math.abs(edge.y1 - edge.y0);
      const foot = [[edge.x0, edge.y0] as const, [edge.x1, edge.y1] as const].find(
        ([x, y]) => Math.abs(y - y0) < MEET * height && x > from && x < to,
      );
      const far = foot && farEnd(edge, foot[0], foot[1], MEET * height);
      return foot !== undefined && far !== undefined && size > STROKE[0] * height && size < STROKE[1] * height
        ? [{ at: foot[0], high: far[1] - y0, lean: isUpright(edge, 0.02) ? 0 : Math.sign(far[0] - foot[0]) }]
        : [];
    })
    .slice(0, MOST_STROKES);
  // An upright stroke and a slanted one, or one to each side.
  return legs.some(
    (leg) =>
      leg.lean !== 0 &&
      legs.some(
        (other) =>
          other.lean !== leg.lean &&
          Math.abs(leg.at - other.at) < MEET * height &&
          Math.abs(leg.high - other.high) < SAME_HEIGHT * Math.abs(leg.high),
      ),
  );
}

function isSlanted({ x0, y0, x1, y1 }: Edge): boolean {
  return Math.abs(y1 - y0) > SLANTED * Math.abs(x1 - x0) && Math.abs(x1 - x0) > SLANTED * Math.abs(y1 - y0);
}

/** The other end of a line that ends at a place. */
function farEnd(
  { x0, y0, x1, y1 }: Edge,
  x: number,
  y: number,
  slack: number,
): readonly [x: number, y: number] | undefined {
  if (Math.hypot(x0 - x, y0 - y) < slack) return [x1, y1];
  return Math.hypot(x1 - x, y1 - y) < slack ? [x0, y0] : undefined;
}
