import type { Affine } from '../geometry/affine.js';
import type { OperatorList, Pdfjs } from '../pdf-file/pdfjs.js';
import type { TextPiece } from '../text/text-layout.js';
import { PaintOrder, type PaintedAt } from './paint-order.js';
import { TextInk } from './text-ink.js';

/** Groups of optional content (layers) of a PDF, as pdfjs gives them. */
export interface PdfLayers {
  isVisible(group: unknown): boolean;
  getGroup(id: string): { readonly name?: string | null } | null | undefined;
}

/** What of a page is not seen: on layers that are off, or drawn without ink. */
export interface HiddenContent {
  /** Texts on layers that are off; empty when they cannot be told from others. */
  readonly pieces: ReadonlySet<TextPiece>;
  /**
   * Other texts that leave no ink on white paper: without filling and stroke, transparent, white, outside of their
   * clip, below an area that is filled later.
   */
  readonly inkless: ReadonlySet<TextPiece>;
  /** How many strings have no ink. */
  readonly inklessStrings: number;
  /** How many strings and paths each layer that is off holds, by its name. */
  readonly counts: ReadonlyMap<string, { readonly texts: number; readonly paths: number }>;
  /** How many other strings the content draws that `pieces` lacks: they stand outside of the page. */
  readonly outside: number;
  /** Whether texts and strings could not be laid beside each other. */
  readonly isLost: boolean;
}

/** Most strings of a page that are laid beside its texts. */
const MOST_STRINGS = 200_000;
/** With a larger share of strings outside of the page, the two are not of one order. */
const MOST_OUTSIDE = 0.5;

/**
 * Which texts of a page stand on layers that are off. pdfjs gives texts without their layers, and operators without
 * texts' places; both come in the order of the page's content, so their letters are laid beside each other.
 * @param pieces the texts that the content draws, in its order, all of them.
 */
export function hiddenContent(
  { fnArray, argsArray }: OperatorList,
  pieces: readonly TextPiece[],
  { layers, pdfjs, toPage }: { readonly layers: PdfLayers; readonly pdfjs: Pdfjs; readonly toPage: Affine },
): HiddenContent {
  const { OPS } = pdfjs;
  const counts = new Map<string, { texts: number; paths: number }>();
  /** Names of the open groups, outermost first; undefined for what is shown. */
  const open: (string | undefined)[] = [];
  const strings: DrawnString[] = [];
  const ink = new TextInk(pdfjs);
  const order = new PaintOrder(pdfjs, toPage);
  let inklessStrings = 0;
  for (let i = 0; i < fnArray.length; i++) {
    const fn = fnArray[i];
    const args = (argsArray[i] ?? []) as readonly unknown[];
    // Annotations follow the content, and their texts are none of its.
    if (fn === OPS.beginAnnotation) break;
    ink.apply(fn, args);
    order.apply(fn, args);
    if (fn === OPS.beginMarkedContent) open.push(undefined);
    else if (fn === OPS.beginMarkedContentProps)
      open.push(args[0] === 'OC' && !layers.isVisible(args[1]) ? nameOf(args[1], layers) : undefined);
    else if (fn === OPS.endMarkedContent) open.pop();
    else if (fn === OPS.constructPath || fn === OPS.showText) {
      const letters = fn === OPS.showText ? lettersOf(args[0]) : '';
      const layer = open.find((name) => name !== undefined);
      const isInkless = layer === undefined && letters !== '' && ink.isNone(args[0]);
      if (isInkless) inklessStrings++;
      if (letters !== '' && strings.length < MOST_STRINGS)
        strings.push({ letters, isHidden: layer !== undefined, isInkless, at: order.now });
      if (layer === undefined) continue;
      const count = counts.get(layer) ?? { texts: 0, paths: 0 };
      counts.set(layer, count);
      if (fn === OPS.constructPath) count.paths++;
      else if (letters !== '') count.texts++;
    }
  }
  const found = matched(strings, pieces, order);
  const none = { pieces: new Set<TextPiece>(), inkless: new Set<TextPiece>(), outside: 0 };
  return { counts, inklessStrings, ...(found ?? none), isLost: found === undefined };
}

/** A string that is drawn, without gaps. */
interface DrawnString {
  readonly letters: string;
  readonly isHidden: boolean;
  readonly isInkless: boolean;
  readonly at: PaintedAt;
}

/**
 * Lays pieces of text and drawn strings beside each other. Strings that no piece has stand outside of the page: pdfjs
 * leaves them out. Undefined where the two are not of one order.
 */
function matched(
  strings: readonly DrawnString[],
  pieces: readonly TextPiece[],
  order: PaintOrder,
): Pick<HiddenContent, 'pieces' | 'inkless' | 'outside'> | undefined {
  const all = strings.map(({ letters }) => letters).join('');
  const starts: number[] = [];
  let length = 0;
  for (const { letters } of strings) {
    starts.push(length);
    length += letters.length;
  }
  const hidden = new Set<TextPiece>();
  const inkless = new Set<TextPiece>();
  let at = 0,
    string = 0,
    outside = 0;
  for (const piece of pieces) {
    const letters = plain(piece.text);
    if (letters === '') continue;
    while (!all.startsWith(letters, at)) {
      // Only whole strings are left out.
      if (string >= strings.length || at !== starts[string]) return undefined;
      if (!strings[string].isHidden) outside++;
      at += strings[string++].letters.length;
    }
    const first = string;
    at += letters.length;
    while (string < strings.length && starts[string] + strings[string].letters.length <= at) string++;
    const own = strings.slice(first, starts[string] < at ? string + 1 : string);
    if (own[0]?.isHidden) hidden.add(piece);
    // A piece may hold strings that are seen beside others.
    else if (own.length > 0 && own.every((each) => each.isInkless || order.isUnseen(piece, each.at)))
      inkless.add(piece);
  }
  outside += strings.slice(string).filter(({ isHidden }) => !isHidden).length;
  return outside > MOST_OUTSIDE * strings.length ? undefined : { pieces: hidden, inkless, outside };
}

/** The names of a group, or of the groups that a membership dictionary combines. */
function nameOf(group: unknown, layers: PdfLayers): string {
  const { id, ids } = (group ?? {}) as { readonly id?: unknown; readonly ids?: unknown };
  const all = Array.isArray(ids) ? ids : [id];
  const names = all.flatMap((each) => (typeof each === 'string' ? (layers.getGroup(each)?.name ?? []) : []));
  return names.length === 0 ? 'unnamed' : names.join(' + ');
}

/** The letters of a string that is drawn: glyphs, and numbers for gaps between them. */
function lettersOf(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return '';
  return plain(glyphs.map((glyph: unknown) => (glyph as { readonly unicode?: string } | null)?.unicode ?? '').join(''));
}

function plain(text: string): string {
  return text.normalize('NFKC').replace(/[\s\0]+/g, '');
}
