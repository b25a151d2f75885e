import type { PageBox, TextRun } from '../content/text.js';
import type { AttributeCondition } from '../attributes/attribute-condition.js';
import { displayNameOf, extensionOf } from '../store/catalog/file-path.js';
import type { FileLabels } from '../store/catalog/file-labels.js';
import type { StoredPage } from '../store/catalog/file-text.js';
import { placesInValue } from './attribute-places.js';
import { termsOf } from './terms.js';
import { leavesOf, type Range, type TextLeaf } from './text-leaf.js';
import type { TextHighlight, TextQuery } from './text-query.js';

/** Bounds of the highlights of one file. */
export const HIGHLIGHT_LIMITS = Object.freeze({
  /** Pages, with one snippet each. */
  pages: 10,
  attributes: 10,
  /** UTF-16 units of a snippet. */
  snippetLength: 200,
  /** Boxes per page. */
  boxes: 100,
  /** UTF-16 units of a file's text that are read: about 10 ms. */
  textLength: 300_000,
});

/** Share of a snippet that precedes the first match. */
const LEAD = 0.3;

/** The highlights of a file, and how much text was read for them. */
export interface HighlightsRead {
  readonly highlights: TextHighlight[];
  /** UTF-16 units of text and attributes that were read. */
  readonly read: number;
}

/** What to highlight: words in all fields, and conditions on attributes in their values. */
export interface LookedFor {
  readonly leaves: readonly TextLeaf[];
  readonly conditions: readonly AttributeCondition[];
}

/**
 * The matches in a file: on its pages, in its attributes, in its path.
 * characters: most UTF-16 units of text and attributes to read; the path is always read.
 */
export function highlightsOf(
  { leaves, conditions }: LookedFor,
  labels: FileLabels,
  pages: Iterable<StoredPage>,
  characters: number,
): HighlightsRead {
  const highlights: TextHighlight[] = [];
  const textLength = Math.min(HIGHLIGHT_LIMITS.textLength, characters);
  let read = 0;
  for (const { number, text, runs } of pages) {
    const part = text.slice(0, textLength - read);
    read += part.length;
    const ranges = rangesIn(leaves, part, part.length);
    if (ranges.length > 0)
      highlights.push({
        field: 'text',
        page: number,
        ...snippetOf(part, ranges),
        boxes: boxesOf(text, ranges, runs ?? []),
      });
    if (highlights.length === HIGHLIGHT_LIMITS.pages || read >= textLength) break;
  }
  let attributes = 0;
  for (const attribute of labels.attributes) {
    const { name, unit, value } = attribute;
    if (attributes === HIGHLIGHT_LIMITS.attributes || read + value.length > characters) break;
    read += value.length;
    const label = `${name}${unit === '' ? '' : `(${unit})`}=`;
    const ranges = merged([...rangesIn(leaves, value, value.length), ...placesInValue(attribute, conditions)]);
    if (ranges.length === 0) continue;
    attributes++;
    const { snippet, ranges: places } = snippetOf(value, ranges);
    highlights.push({
      field: 'attribute',
      page: null,
      snippet: label + snippet,
      boxes: [],
      ranges: places.map(({ start, end }) => ({ start: start + label.length, end: end + label.length })),
    });
  }
  const ranges = rangesInPath(leaves, labels.path);
  if (ranges.length > 0) highlights.push({ field: 'name', page: null, snippet: labels.path, ranges, boxes: [] });
  return { highlights, read };
}

/** The matches on a page. */
export interface TextPlaces {
  /** UTF-16 offsets in the page's text, rising. */
  readonly ranges: readonly Range[];
  /** Their positions on the page, at most {@link HIGHLIGHT_LIMITS}.boxes; empty when the format has no positions. */
  readonly boxes: readonly PageBox[];
}

/**
 * All matches on a page, in the first `characters` UTF-16 units of its text. @throws EngineError `QUERY_INVALID` for
 * too many terms.
 */
export function placesOnPage(
  query: TextQuery,
  { text, runs = [] }: Pick<StoredPage, 'text' | 'runs'>,
  characters: number,
): TextPlaces {
  const part = text.slice(0, characters);
  const ranges = rangesIn(leavesOf(query), part, part.length);
  return { ranges, boxes: boxesOf(text, ranges, runs) };
}

/** The matching ranges, rising, without overlaps. */
function rangesIn(leaves: readonly TextLeaf[], text: string, numbered: number): Range[] {
  if (leaves.length === 0) return [];
  const terms = termsOf(text);
  return merged(leaves.flatMap((leaf) => leaf.rangesIn(text, terms, numbered)));
}

function merged(found: Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { start, end } of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = ranges.at(-1);
    if (last === undefined || start >= last.end) ranges.push({ start, end });
    else if (end > last.end) ranges[ranges.length - 1] = { start: last.start, end };
  }
  return ranges;
}

/** The matching ranges of a path. Each folder is matched by itself, as it is indexed. */
function rangesInPath(leaves: readonly TextLeaf[], path: string): Range[] {
  const name = displayNameOf(path);
  let at = 0;
  return path.split('/').flatMap((part, i, parts) => {
    const first = at;
    at += part.length + 1;
    const numbered = i === parts.length - 1 ? name.length - extensionOf(name).length : part.length;
    return rangesIn(leaves, part, numbered).map(({ start, end }) => ({ start: start + first, end: end + first }));
  });
}

/** The text around the first match, cut at spaces if possible, with lines joined. */
function snippetOf(text: string, ranges: readonly Range[]): { snippet: string; ranges: Range[] } {
  const length = HIGHLIGHT_LIMITS.snippetLength;
  let first = Math.max(0, Math.min(ranges[0].start - LEAD * length, text.length - length));
  first = Math.floor(first);
  if (first > 0) {
    const space = text.slice(first, ranges[0].start).search(/\s/);
    if (space >= 0) first += space + 1;
    else if (isLowSurrogate(text, first)) first++;
  }
  let last = Math.min(text.length, first + length);
  if (last < text.length) {
    const space = Math.max(text.lastIndexOf(' ', last), text.lastIndexOf('\n', last));
    if (space >= ranges[0].end) last = space;
    else if (isLowSurrogate(text, last)) last--;
  }
  return {
    snippet: text.slice(first, last).replace(/\s/g, ' '),
    ranges: ranges
      .filter(({ start }) => start < last)
      .map(({ start, end }) => ({ start: start - first, end: Math.min(end, last) - first })),
  };
}

/**
 * Boxes of the runs that the ranges touch. For a horizontal run that extends beyond a range, the box is reduced in
 * proportion to the characters.
 */
function boxesOf(text: string, ranges: readonly Range[], runs: readonly TextRun[]): PageBox[] {
  const boxes: PageBox[] = [];
  let first = 0;
  for (const { start, end } of ranges) {
    while (first < runs.length && runs[first].end <= start) first++;
    for (let i = first; i < runs.length && runs[i].start < end && boxes.length < HIGHLIGHT_LIMITS.boxes; i++) {
      boxes.push(partOf(text, runs[i], Math.max(start, runs[i].start), Math.min(end, runs[i].end)));
    }
  }
  return boxes;
}

/**
 * Least width of a letter by the height of its line, on pages up to five times as wide as high; a run with narrower
 * letters has several lines.
 */
const LEAST_LETTER = 0.1;

function partOf(text: string, { start, end, box }: TextRun, from: number, to: number): PageBox {
  const isLevel =
    box.width > box.height &&
    !/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text.slice(start, end));
  const unit = box.width / (end - start);
  if (!isLevel || unit < LEAST_LETTER * box.height || (from === start && to === end)) return box;
  return { x: box.x + unit * (from - start), y: box.y, width: unit * (to - from), height: box.height };
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}
