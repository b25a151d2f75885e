import type { PageInk } from './page-ink.js';
import type { PictureText } from './picture-text.js';

/** A dash before or behind a value. */
const BEFORE = /^[-_](?=[\d⌀R(.,])/;
const BEHIND = /(?<=[\d°)])[-_]$/;
/** How far from the text its line may end, and how much of it must stand there, in heights of a capital. */
const FAR = 1.4;
/** A line that ends nearer than this goes on in the dash; others do only where the text interrupts them, in heights. */
const TOUCHING = 0.2;
const INTO = 0.6;
const LONG = 0.3;
/** How far from the middle of the capitals the line may be, in their heights, and how it may be turned against them. */
const OFF = 0.14;
const SAME_DIRECTION = 0.08;
/** Words that are pieces of a line alone, and a head with its extension line behind a value. */
const DASHES = /^[-_]+$/;
const HEAD = /^[-_]?[H|]$/;
/** The head of an arrow and a dash before a value. */
const HEAD_BEFORE = /^[xX<>]?[-_](?=[1-9])/;
/** A dash that is further from its value than a minus, and how far the next one is from the value, in heights. */
const APART = 0.5;
const FAR_DASH = 3.5;
/** How far from the end of a text the tip of such a head is, along it and across, and how wide it is, in heights. */
const HEAD_NEAR = 1.2;
const HEAD_OFF = 0.3;
const HEAD_WIDE = 0.9;
/** Width of a dash and the paper behind it, in heights of a capital. */
const DASH = 0.45;

/**
 * A text without what is the end of the dimension line that it interrupts: a dash in which a line goes on, which the
 * head of an arrow follows, or that stands in line with others on both sides of the text. A minus has none; before one
 * of an ordinate a leader ends, on one side and apart.
 */
export function withoutLineEnds(read: PictureText, part: Pick<PageInk, 'lines' | 'heads'>): PictureText {
  const text = withoutPieces(read, part);
  const { words, height } = text;
  let [first, last] = [words[0], words[words.length - 1]];
  const isEnd = (side: 1 | -1): boolean => {
    const isThere = (far: number, on: 1 | -1 = side): boolean => hasLine(text, part, { side: on, far });
    return isThere(TOUCHING) || (isThere(FAR) && isThere(FAR, side > 0 ? -1 : 1));
  };
  const isBefore = BEFORE.test(first.text) && isEnd(-1),
    isBehind = BEHIND.test(last.text) && isEnd(1);
  if (!isBefore && !isBehind) return text;
  const cut = Math.min(DASH * height, 0.5 * first.width);
  if (isBefore) {
    first = { ...first, text: first.text.slice(1), start: first.start + cut, width: first.width - cut };
    if (words.length === 1) last = first;
  }
  if (isBehind) {
    last = { ...last, text: last.text.slice(0, -1), width: Math.max(1, last.width - Math.min(cut, 0.5 * last.width)) };
    if (words.length === 1) first = last;
  }
  const all = words.length === 1 ? [last] : [first, ...words.slice(1, -1), last];
  const start = first.start;
  return {
    ...text,
    text: all.map((word) => word.text).join(' '),
    count: Math.max(1, text.count - Number(isBefore) - Number(isBehind)),
    x: text.x + start * Math.cos(text.angleRad),
    y: text.y + start * Math.sin(text.angleRad),
    width: last.start + last.width - start,
    words: all.map((word) => ({ ...word, start: word.start - start })),
  };
}

/**
 * A text without words before and behind its value that are nothing but pieces of the dimension line: dashes, and the
 * head of an arrow at an extension line, which looks like an `H`.
 */
function withoutPieces(text: PictureText, part: Pick<PageInk, 'lines' | 'heads'>): PictureText {
  const words = text.words.map((word) => ({ ...word }));
  let start = 0,
    { width } = text;
  const last = words[words.length - 1];
  if (
    words.length > 1 &&
    HEAD.test(last.text) &&
    /\d[-_]?$/.test(words[words.length - 2].text) &&
    hasHead(text, part)
  ) {
    words.pop();
    const before = words[words.length - 1];
    width = before.start + before.width;
  } else if (/\d[-_]?[H|]$/.test(last.text) && hasHead(text, part)) {
    const cut = Math.min(HEAD_WIDE * text.height, 0.5 * last.width);
    last.text = last.text.replace(/[H|]$/, '');
    last.width -= cut;
    width -= cut;
  }
  if (words.length > 1 && DASHES.test(words[0].text) && /^[\d⌀R(.,]/.test(words[1].text)) {
    const { start: from } = words[1];
    const rest = { ...text, ...shifted(text, from), width: width - from };
    const isApart = from - words[0].start - words[0].width > APART * text.height;
    if (hasLine(rest, part, { side: -1, far: isApart ? FAR_DASH : FAR })) {
      words.shift();
      start = from;
    }
  }
  const head = HEAD_BEFORE.exec(words[0].text)?.[0].length ?? 0;
  if (head > 0 && hasHead(text, part, -1)) {
    const [first] = words;
    const cut = Math.min(head * DASH * text.height, 0.7 * first.width);
    start = first.start + cut;
    words[0] = { ...first, text: first.text.slice(head), start, width: first.width - cut };
  }
  if (start === 0 && words.length === text.words.length && width === text.width) return text;
  return {
    ...text,
    ...shifted(text, start),
    text: words.map((word) => word.text).join(' '),
    count: words.reduce((sum, word) => sum + word.text.length, 0),
    width: width - start,
    words: words.map((word) => ({ ...word, start: word.start - start })),
  };
}

/** The start of a text moved along it. */
function shifted({ x, y, angleRad }: PictureText, by: number): Pick<PictureText, 'x' | 'y'> {
  return { x: x + by * Math.cos(angleRad), y: y + by * Math.sin(angleRad) };
}

/** Whether the head of an arrow is where a text ends, or begins (`side` -1). */
function hasHead(
  { x, y, angleRad, height, width }: PictureText,
  { heads }: Pick<PageInk, 'heads'>,
  side: 1 | -1 = 1,
): boolean {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  return heads.some(({ tipX, tipY }) => {
    const s = (tipX - x) * cos + (tipY - y) * sin - (side > 0 ? width : 0),
      t = (tipY - y) * cos - (tipX - x) * sin + height / 2;
    return s > -HEAD_NEAR * height && s < HEAD_NEAR * height && Math.abs(t) < HEAD_OFF * height;
  });
}

/**
 * Whether a line goes on from a text's start (`side` -1) or end (1), as far from it as that at most, or the head of an
 * arrow is there.
 */
function hasLine(
  { x, y, angleRad, height, width }: PictureText,
  { lines, heads }: Pick<PageInk, 'lines' | 'heads'>,
  { side, far: most }: { readonly side: 1 | -1; readonly far: number },
): boolean {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  /** How far a place is from the text's end along it, and above the middle of its capitals, in heights. */
  const placeOf = (u: number, v: number): readonly [number, number] => {
    const s = (u - x) * cos + (v - y) * sin,
      t = (v - y) * cos - (u - x) * sin;
    return [(side > 0 ? s - width : -s) / height, t / height + 0.5];
  };
  const isThere = (near: readonly [number, number], far: readonly [number, number], within: number): boolean =>
    near[0] > -INTO &&
    near[0] < within &&
    Math.abs(near[1]) < OFF &&
    far[0] - near[0] > LONG &&
    Math.abs(far[1] - near[1]) < OFF + SAME_DIRECTION * (far[0] - near[0]);
  const isLine = (ends: readonly (readonly [number, number])[]): boolean => {
    const [near, far] = ends[0][0] < ends[1][0] ? ends : [ends[1], ends[0]];
    return isThere(near, far, most);
  };
  return (
    lines.some(({ x0, y0, x1, y1 }) => isLine([placeOf(x0, y0), placeOf(x1, y1)])) ||
    heads.some(({ tipX, tipY, backX, backY }) => isThere(placeOf(backX, backY), placeOf(tipX, tipY), FAR))
  );
}
