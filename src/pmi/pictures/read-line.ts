import type { GlyphCandidate } from '../glyph.js';
import { readGlyph } from './read-glyph.js';
import { setUpright } from './slant.js';
import type { UprightPiece } from './upright-block.js';
import { asWord } from './word-forms.js';

/** A word of a line: its text, the mean logarithm of its letters' probabilities, and where it is, pixels. */
export interface ReadWord {
  readonly text: string;
  readonly confidence: number;
  readonly x0: number;
  readonly x1: number;
}

/** What the lines of a page share. */
export interface ReadingBudget {
  /** Glyphs that may still be read; counted down. */
  glyphs: number;
  /** Pixels of blocks that may still be looked at, each time that they are; counted down. */
  pixels: number;
  /** How far its letters lean to the right, as a share of their height. */
  readonly slant: number;
  /** Whether the page's upright texts are read downwards; usually they are read upwards. */
  readonly isDownwards?: boolean;
}

/** A line of letters as it was read. */
export interface LineReading {
  readonly text: string;
  readonly words: readonly ReadWord[];
  /** Mean logarithm of the letters' probabilities: 0 is certain. */
  readonly confidence: number;
  /**
   * The same minus penalties for unusual letters and sequences: among readings in several directions the largest wins.
   */
  readonly score: number;
  /** Number of letters. */
  readonly count: number;
  readonly x0: number;
  readonly x1: number;
  /** Where all pieces of the line begin and end, those too that were taken for no letter. */
  readonly ends: readonly [first: number, last: number];
  /** Whether it consists of upright bars alone: strokes of dashed lines. */
  readonly isBars: boolean;
  /** Upper and lower end of its capitals. */
  readonly top: number;
  readonly bottom: number;
}

/**
 * In letter heights: width from which cuts of a piece are tried, largest gap between pieces of one letter, and the
 * widest letter.
 */
const CUT_FROM = 0.62;
/** The same where only a faint trace is cut, less than this share of a pen of this thickness. */
const FAINT_CUT_FROM = 0.3;
const FAINT = 0.4;
const PEN = 0.1;
const BROKEN = 0.14;
const WIDEST = 1.7;
/** A wider gap separates words. */
const SPACE = 0.42;
/** The same beside the point of a number. */
const POINT_SPACE = 0.8;
const TALL_BAR = 1.12;
const SPECK = 0.36;
/** A speck on the baseline is a point, whatever it looks like: with this logarithm of its probability. */
const ON_LINE = 0.2;
const FORMLESS = -0.7;
const MOST_PIECES = 4;
const MOST_CUTS = 4;
/** Penalties for a letter that is no digit, and for what is no letter at all. */
const LETTER_COST = 0.7;
const SIGN_COST = 1.2;
/** Letters and signs that are common on drawings. */
const CHEAP_SIGN = /^[-+±()⌀°xR/]$/;
const NOTHING_COST = 2.2;
/** Penalties for a change between digits and letters, and for each letter. */
const CHANGE_COST = 0.5;
/** Signs that stand in a cell by themselves, and the penalty for one that stands in a word. */
const CHARACTERISTIC = /^[⏥⌖⊥∥∠⌓◎⌭↗⌰⌯]$/;
const BESIDE_COST = 2.5;
/** Penalties for cutting a piece, and for joining pieces that do not touch. */
const CUT_COST = 0.6;
const JOIN_COST = 1.2;

/** Stands in a reading for what is no letter. */
export const NO_LETTER = '\ufffd';

interface Atom extends UprightPiece {
  /** Whether its left side is a cut. */
  readonly isCut: boolean;
  /**
   * How strongly it is linked with the atom before, from 0, where a faint trace was cut, to 1, a stroke of a letter.
   */
  readonly link: number;
}

interface Guess {
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly score: number;
  /** Logarithm of its probability. */
  readonly sure: number;
  /** Whether it is just an upright bar. */
  readonly isBar: boolean;
}

/**
 * Reads pieces of ink on one upright line from left to right: joins and cuts pieces so that the letters are as likely
 * as possible (dynamic programming over the boundaries).
 * @param top upper end of the capitals.
 * @param bottom baseline.
 */
export function readLine(
  pieces: readonly UprightPiece[],
  top: number,
  bottom: number,
  budget: ReadingBudget,
): LineReading | undefined {
  const high = bottom - top;
  const upright = budget.slant === 0 ? pieces : setUpright(pieces, budget.slant, bottom);
  const atoms = atomsOf(upright, high);
  if (atoms.length === 0 || budget.glyphs <= 0) return undefined;
  // Best path to each boundary between atoms, by the kind of its last letter.
  const ways: Map<Kind, Way>[] = Array.from({ length: atoms.length + 1 }, () => new Map());
  ways[0].set('start', { score: 0, guess: undefined, before: undefined });
  for (let first = 0; first < atoms.length; first++) {
    if (ways[first].size === 0) continue;
    const isNear = first > 0 && atoms[first].x0 - atoms[first - 1].x1 < SPACE * high;
    for (let last = first; last < Math.min(atoms.length, first + MOST_PIECES); last++) {
      const width = atoms[last].x1 - atoms[first].x0;
      if (
        last > first &&
        (width > WIDEST * high || (!atoms[last].isCut && atoms[last].x0 - atoms[last - 1].x1 > BROKEN * high))
      )
        break;
      budget.glyphs--;
      let made = atoms[first].isCut ? CUT_COST * atoms[first].link : 0;
      for (let i = first + 1; i <= last; i++) made += JOIN_COST * (1 - atoms[i].link) ** 2;
      for (const guess of guessesOf(atoms, first, last, top, bottom)) {
        const kind = kindOf(guess.text);
        for (const [previous, way] of ways[first]) {
          const score = way.score + guess.score - made - changeCost(previous, kind, isNear);
          const known = ways[last + 1].get(kind);
          if (known === undefined || score > known.score) ways[last + 1].set(kind, { score, guess, before: way });
        }
      }
    }
  }
  let best: Way | undefined;
  for (const way of ways[atoms.length].values()) if (best === undefined || way.score > best.score) best = way;
  if (best === undefined) return undefined;
  const guesses: Guess[] = [];
  for (let way: Way | undefined = best; way?.guess !== undefined; way = way.before) guesses.unshift(way.guess);
  const all = guesses.length;
  while (guesses.length > 0 && guesses[0].text === NO_LETTER) guesses.shift();
  while (guesses.length > 0 && guesses[guesses.length - 1].text === NO_LETTER) guesses.pop();
  while (guesses.length > 1 && /^[,':]$/.test(guesses[0].text) && !/^\d$/.test(guesses[1].text)) guesses.shift();
  withoutDashes(guesses);
  if (isBoxed(guesses, atoms)) guesses.splice(0, guesses.length, ...guesses.slice(1, -1));
  if (guesses.length === 0) return undefined;
  const words: Guess[][] = [];
  guesses.forEach((guess, i) => {
    const gap = i === 0 ? Infinity : atoms[guess.first].x0 - atoms[guesses[i - 1].last].x1;
    // Plotters give the point of a number the room of a letter.
    const isNumber = i > 0 && isOfNumber(guesses[i - 1].text, guess.text);
    if (gap > (isNumber ? POINT_SPACE : SPACE) * high) words.push([guess]);
    else words.at(-1)!.push(guess);
  });
  const confidence = guesses.reduce((sum, { sure }) => sum + sure, 0) / guesses.length;
  return {
    text: words.map(said).join(' '),
    words: words.map((word) => ({
      text: said(word),
      confidence: word.reduce((sum, { sure }) => sum + sure, 0) / word.length,
      x0: atoms[word[0].first].x0,
      x1: atoms[word[word.length - 1].last].x1,
    })),
    confidence,
    score: best.score / all,
    count: guesses.length,
    isBars: guesses.every(({ isBar }) => isBar),
    ends: [Math.min(...pieces.map((piece) => piece.x0)), Math.max(...pieces.map((piece) => piece.x1))],
    x0: atoms[guesses[0].first].x0,
    x1: atoms[guesses[guesses.length - 1].last].x1,
    top,
    bottom,
  };
}

function said(word: readonly Guess[]): string {
  return asWord(word.map(({ text }) => text).join(''));
}

/** Whether two letters on each other are a digit and the point of a number. */
function isOfNumber(before: string, after: string): boolean {
  return (/^[.,]$/.test(after) && /^[\d⌀R±+-]$/.test(before)) || (/^[.,]$/.test(before) && /^\d$/.test(after));
}

/** Drops remains of the dimension line before and behind a text that interrupts it. */
function withoutDashes(guesses: Guess[]): void {
  const isDash = (guess: Guess | undefined): boolean => guess !== undefined && /^[-_]$/.test(guess.text);
  if (!isDash(guesses.at(-1))) return;
  while (isDash(guesses.at(-1))) guesses.pop();
  while (isDash(guesses[0])) guesses.shift();
}

/** Whether the first and the last letter are the sides of a box: bars that are higher than what is between them. */
function isBoxed(guesses: readonly Guess[], atoms: readonly Atom[]): boolean {
  if (guesses.length < 3 || !guesses[0].isBar || !guesses[guesses.length - 1].isBar) return false;
  const heightOf = ({ first }: Guess): number => atoms[first].y1 - atoms[first].y0;
  const inner = Math.max(
    ...guesses
      .slice(1, -1)
      .filter(({ text }) => /^[0-9A-Z]$/.test(text))
      .map(heightOf),
  );
  return heightOf(guesses[0]) > 1.03 * inner && heightOf(guesses[guesses.length - 1]) > 1.03 * inner;
}

type Kind = 'start' | 'digit' | 'capital' | 'small' | 'sign' | 'characteristic' | 'none';

interface Way {
  readonly score: number;
  readonly guess: Guess | undefined;
  readonly before: Way | undefined;
}

function kindOf(text: string): Kind {
  if (/^[\d.,°]$/.test(text)) return 'digit';
  if (CHEAP_SIGN.test(text)) return 'sign';
  if (/^[A-Z]$/.test(text)) return 'capital';
  if (/^[a-z]$/.test(text)) return 'small';
  if (CHARACTERISTIC.test(text)) return 'characteristic';
  return text === NO_LETTER ? 'none' : 'sign';
}

function changeCost(from: Kind, to: Kind, isNear: boolean): number {
  const isAlone = from === 'start' || from === 'none' || to === 'none';
  if ((from === 'characteristic') !== (to === 'characteristic')) return isNear && !isAlone ? BESIDE_COST : 0;
  if (from === 'start' || from === 'sign' || to === 'sign' || from === to || to === 'none' || from === 'none') return 0;
  if (from === 'small' && to === 'capital') return 2 * CHANGE_COST;
  return from === 'capital' && to === 'small' ? 0.5 * CHANGE_COST : CHANGE_COST;
}

/** The letters that several atoms together may be. */
function guessesOf(atoms: readonly Atom[], first: number, last: number, top: number, bottom: number): Guess[] {
  const { x0, x1, y0, y1, ink } = overlaid(atoms.slice(first, last + 1));
  const width = x1 - x0,
    height = y1 - y0;
  const high = bottom - top;
  const place = { height: height / high, bottom: (bottom - y1) / high };
  const guesses: Guess[] = [];
  let none = Math.log(0.005);
  for (const candidate of readGlyph(ink, width, height, place)) {
    if (candidate.text === '') none = Math.log(candidate.probability);
    else {
      const sure = Math.log(candidate.probability);
      for (const text of formsOf(candidate))
        guesses.push({
          first,
          last,
          text,
          sure,
          score: sure - costOf(text, place, width / high, candidate.text === 'I'),
          isBar: candidate.text === 'I',
        });
    }
  }
  // Points of a pixel or two have no form.
  const isSpeck = place.height < SPECK && width / high < SPECK && Math.abs(place.bottom) < ON_LINE;
  if (isSpeck && !guesses.some(({ text }) => /^[.,]$/.test(text)))
    guesses.push({ first, last, text: '.', sure: FORMLESS, score: FORMLESS, isBar: false });
  // Pieces that are no letters cost more the more of them are joined.
  guesses.push({
    first,
    last,
    text: NO_LETTER,
    sure: -NOTHING_COST,
    score: none - NOTHING_COST - (last - first) * 3,
    isBar: false,
  });
  return guesses;
}

/** Letters of the same shape that their place does not distinguish. */
function formsOf({ text }: GlyphCandidate): readonly string[] {
  if (text === '0') return ['0', 'O'];
  if (text === 'I') return ['1', 'I', 'l'];
  if (text === 'X') return ['x', 'X'];
  return [text];
}

/** Penalty for a letter at its place, and for the letter as such. */
function costOf(
  text: string,
  { height, bottom }: { readonly height: number; readonly bottom: number },
  width: number,
  isBar: boolean,
): number {
  let cost = 0;
  if (/^[0-9A-Zl]$/.test(text)) {
    // Small pieces are no capitals, and no letter is far from the line.
    if (height < 0.7) cost += 12 * (0.7 - height);
    if (Math.abs(bottom) > 0.25) cost += 6 * (Math.abs(bottom) - 0.25);
    if (height > 1.25) cost += 6 * (height - 1.25);
    // Bars that are higher than letters are sides of boxes.
    if (isBar && height > TALL_BAR) cost += 5;
  }
  if (/^[.,']$/.test(text)) {
    if (height > 0.42) cost += 15 * (height - 0.42);
    if (width > 0.42) cost += 15 * (width - 0.42);
    if (text !== "'" && Math.abs(bottom) > 0.22) cost += 12 * (Math.abs(bottom) - 0.22);
  }
  if (text === '-') {
    if (height > 0.28) cost += 15 * (height - 0.28);
    if (bottom < 0.12) cost += 10 * (0.12 - bottom);
    if (width < 0.16) cost += 20 * (0.16 - width);
  }
  if (text === '+' && height > 0.95) cost += 2;
  // Specks are points, whatever they look like.
  if (height < SPECK && width < SPECK && !/^[.,'°-]$/.test(text)) cost += 8;
  if (/^[0-9.,]$/.test(text)) return cost;
  if (CHEAP_SIGN.test(text)) return cost + 0.15;
  if (/^[A-Za-z]$/.test(text))
    return cost + (text === 'I' || text === 'l' || text === 'O' ? LETTER_COST + 0.8 : LETTER_COST);
  return cost + SIGN_COST;
}

/** Pieces above each other are joined; wide ones are cut where they are thin. */
function atomsOf(pieces: readonly UprightPiece[], high: number): Atom[] {
  const units: UprightPiece[][] = [];
  for (const piece of pieces.toSorted((a, b) => a.x0 - b.x0 || a.y0 - b.y0)) {
    const unit = units.at(-1);
    const end = unit === undefined ? -Infinity : Math.max(...unit.map(({ x1 }) => x1));
    const start = unit === undefined ? 0 : Math.min(...unit.map(({ x0 }) => x0));
    const overlap = end - piece.x0;
    if (unit !== undefined && overlap > 0.5 * Math.min(piece.x1 - piece.x0, end - start)) unit.push(piece);
    else units.push([piece]);
  }
  return units.flatMap((unit) => cutUp({ ...overlaid(unit), isCut: false, link: 0 }, high));
}

/** Pieces in one box. */
function overlaid(pieces: readonly UprightPiece[]): UprightPiece {
  const x0 = Math.min(...pieces.map((piece) => piece.x0)),
    x1 = Math.max(...pieces.map((piece) => piece.x1));
  const y0 = Math.min(...pieces.map((piece) => piece.y0)),
    y1 = Math.max(...pieces.map((piece) => piece.y1));
  const width = x1 - x0;
  const ink = new Uint8Array(width * (y1 - y0));
  for (const piece of pieces) {
    const own = piece.x1 - piece.x0;
    for (let y = piece.y0; y < piece.y1; y++) {
      for (let x = piece.x0; x < piece.x1; x++) {
        const dark = piece.ink[(y - piece.y0) * own + x - piece.x0];
        if (dark > 0) ink[(y - y0) * width + x - x0] = dark;
      }
    }
  }
  return { x0, x1, y0, y1, ink };
}

function cutUp(atom: Atom, high: number): Atom[] {
  const width = atom.x1 - atom.x0,
    height = atom.y1 - atom.y0;
  if (width < FAINT_CUT_FROM * high || height < 0.5 * high) return [atom];
  const profile = Float32Array.from({ length: width }, (_, x) => {
    let sum = 0;
    for (let y = 0; y < height; y++) sum += atom.ink[y * width + x];
    return sum / 255;
  });
  const least = Math.max(2, Math.round(0.14 * high));
  const most = width < CUT_FROM * high ? FAINT * PEN * high : 0.45 * high;
  const places: number[] = [];
  for (let x = least; x < width - least; x++) {
    let isLowest = profile[x] < most;
    for (let i = x - least + 1; isLowest && i < x + least; i++)
      if (profile[i] < profile[x] || (profile[i] === profile[x] && i < x)) isLowest = false;
    if (isLowest) places.push(x);
  }
  const cuts = places
    .sort((a, b) => profile[a] - profile[b] || a - b)
    .slice(0, MOST_CUTS + Math.floor(width / high))
    .sort((a, b) => a - b);
  return [0, ...cuts].map((from, i) => {
    const link = i === 0 ? 0 : Math.min(1, profile[from] / Math.max(1, PEN * high));
    return { ...part(atom, from, cuts[i] ?? width), isCut: i > 0, link };
  });
}

function part({ x0, y0, y1, ink, x1 }: Atom, from: number, to: number): UprightPiece {
  const width = x1 - x0,
    own = to - from;
  let upper = y1 - y0,
    lower = 0;
  for (let y = 0; y < y1 - y0; y++) {
    for (let x = from; x < to; x++) {
      if (ink[y * width + x] === 0) continue;
      upper = Math.min(upper, y);
      lower = y + 1;
    }
  }
  if (lower <= upper) [upper, lower] = [0, y1 - y0];
  const cut = new Uint8Array(own * (lower - upper));
  for (let y = upper; y < lower; y++) cut.set(ink.subarray(y * width + from, y * width + to), (y - upper) * own);
  return { x0: x0 + from, x1: x0 + to, y0: y0 + upper, y1: y0 + lower, ink: cut };
}
