import { overAlignments } from '../alignments.js';
import { LINE_CHARACTERS } from '../line-characters.js';
import { LINE_OUTPUTS, type LineScores } from '../line-net.js';

/** A text that a line may be, and what it means. */
export interface KnownText {
  readonly name: string;
  readonly label: string;
  /** Its letters and figures without accents and gaps, capitals. */
  readonly letters: string;
}

/** The known text that a line is likeliest to be. */
export interface LikelyText {
  readonly known: KnownText;
  /** By how much less likely it is than what the network reads, logarithm, for each letter; at most 0. */
  readonly less: number;
  /** The same of the likeliest text with another meaning. */
  readonly other: number;
}

const NUMBERS: ReadonlyMap<string, number> = new Map(LINE_CHARACTERS.map((character, i) => [character, i + 1]));
/** Numbers of the outputs of a letter: as a capital and small. */
const OUTPUTS_OF: ReadonlyMap<string, readonly number[]> = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].map((letter) => [
    letter,
    [...new Set([letter, letter.toLowerCase()])].flatMap((each) => NUMBERS.get(each) ?? []),
  ]),
);
/** What may stand between letters that have no meaning of their own, and what behind the last. */
const BETWEEN = [0, ...[' ', '.', "'", '-', '°'].flatMap((sign) => NUMBERS.get(sign) ?? [])];
const BEHIND = [...BETWEEN, ...[':', ',', '(', ')'].flatMap((sign) => NUMBERS.get(sign) ?? [])];
/** Texts with more or fewer letters than were read by this share are not tried, nor by fewer than the second number. */
const LENGTH = 0.35;
const FEW = 2;

/**
 * Which of some texts a line is likeliest to be: the likeliest alignment of each with the places of the network's
 * output (Graves et al. 2006, with the best path for the sum), capitals or small letters, points and gaps as they come.
 * @param count how many letters the network reads.
 */
export function likeliestOf(
  { values, places }: LineScores,
  count: number,
  texts: readonly KnownText[],
): LikelyText | undefined {
  const most = (place: number, outputs: readonly number[]): number => {
    let best = -Infinity;
    for (const k of outputs) best = Math.max(best, values[place * LINE_OUTPUTS + k]);
    return best;
  };
  let greedy = 0;
  const between = new Float64Array(places),
    behind = new Float64Array(places);
  for (let place = 0; place < places; place++) {
    let best = -Infinity;
    for (let k = 0; k < LINE_OUTPUTS; k++) best = Math.max(best, values[place * LINE_OUTPUTS + k]);
    greedy += best;
    between[place] = most(place, BETWEEN);
    behind[place] = most(place, BEHIND);
  }
  const rows = new Map<string, Float64Array>();
  const rowOf = (letter: string): Float64Array => {
    let row = rows.get(letter);
    if (row === undefined) {
      row = new Float64Array(places);
      for (let place = 0; place < places; place++) row[place] = most(place, OUTPUTS_OF.get(letter) ?? []);
      rows.set(letter, row);
    }
    return row;
  };
  let best: { readonly known: KnownText; readonly less: number } | undefined,
    other = -Infinity;
  for (const known of texts) {
    const { letters, name } = known;
    if (Math.abs(letters.length - count) > Math.max(FEW, LENGTH * letters.length)) continue;
    const states = [...letters].flatMap((letter, i) => [rowOf(letter), i + 1 < letters.length ? between : behind]);
    const isRepeated = (i: number): boolean => letters[i] === letters[i - 1];
    const less = (overAlignments([between, ...states], isRepeated, Math.max) - greedy) / letters.length;
    if (best === undefined || less > best.less) {
      if (best !== undefined && best.known.name !== name) other = Math.max(other, best.less);
      best = { known, less };
    } else if (best.known.name !== name) other = Math.max(other, less);
  }
  return best === undefined ? undefined : { ...best, other };
}
