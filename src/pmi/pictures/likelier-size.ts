import { readDimension, readTolerance } from '../dimension-text.js';
import { overAlignments } from './alignments.js';
import { LINE_CHARACTERS } from './line-characters.js';
import { LINE_OUTPUTS, type LineScores } from './line-net.js';

/**
 * Prefixes that are followed, and outputs of a place that are tried, with their least logarithm beside the likeliest.
 */
const WIDTH = 12;
const TRIED = 5;
const LEAST_BESIDE = -5;
/** A size may be less likely than what is no size by this much, logarithm. */
const LESS = -1.2;
/** Longest lines that are searched, places. */
const MOST_PLACES = 400;

/** A text that a line may be. */
export interface LikelierSize {
  readonly text: string;
  /** How much less likely it is than the likeliest text, logarithm. */
  readonly less: number;
}

interface Prefix {
  readonly text: string;
  /** Logarithms of the probabilities of its alignments that end with no letter, and with its last. */
  blank: number;
  letter: number;
}

/**
 * The likeliest text of a line that reads as a size or a tolerance, where the likeliest of all does not: a search for
 * prefixes over the network's outputs (Graves 2012), with the grammar of dimensions as its model of language.
 */
export function likelierSize(scores: LineScores): LikelierSize | undefined {
  const found = likeliestTexts(scores);
  const size = found.find(({ text }) => isSize(text.trim()));
  if (size === undefined || size === found[0] || size.sum < found[0].sum + LESS) return undefined;
  return { text: size.text, less: size.sum - found[0].sum };
}

/**
 * The likeliest text of a line that has a form, with the logarithm of its probability.
 * @param begins the form of its beginnings: no others are followed.
 */
export function likeliestText(
  scores: LineScores,
  { form, begins }: { readonly form: RegExp; readonly begins: RegExp },
): LikelyText | undefined {
  return likeliestTexts(scores, begins).find(({ text }) => form.test(text));
}

/**
 * The logarithm of the probability of a text, over all its alignments with a line's places (Graves et al. 2006);
 * -Infinity for one with other characters.
 */
export function likelihoodOf({ values, places }: LineScores, text: string): number {
  const outputs = [...text].map((sign) => LINE_CHARACTERS.indexOf(sign) + 1);
  if (outputs.includes(0)) return -Infinity;
  const rowOf = (output: number): Float64Array =>
    Float64Array.from({ length: places }, (_, place) => values[place * LINE_OUTPUTS + output]);
  const gap = rowOf(0);
  const states = outputs.flatMap((output) => [rowOf(output), gap]);
  return overAlignments([gap, ...states], (i) => outputs[i] === outputs[i - 1], sumOf);
}

/** A text and the logarithm of its probability. */
export interface LikelyText {
  readonly text: string;
  readonly sum: number;
}

/** The likeliest texts of a line, likeliest first; none of a line that is too long. */
function likeliestTexts({ values, places }: LineScores, begins?: RegExp): readonly LikelyText[] {
  if (places > MOST_PLACES) return [];
  let beam = new Map<string, Prefix>([['', { text: '', blank: 0, letter: -Infinity }]]);
  for (let place = 0; place < places; place++) {
    const at = place * LINE_OUTPUTS;
    const outputs: number[] = [];
    for (let k = 0; k < LINE_OUTPUTS; k++) {
      let i = outputs.length;
      while (i > 0 && values[at + outputs[i - 1]] < values[at + k]) i--;
      if (i < TRIED) outputs.splice(i, 0, k);
      outputs.length = Math.min(outputs.length, TRIED);
    }
    const likely = outputs.filter((k) => values[at + k] > values[at + outputs[0]] + LEAST_BESIDE);
    if (likely.length === 1 && likely[0] === 0) {
      for (const prefix of beam.values()) {
        prefix.blank = sumOf(prefix.blank, prefix.letter) + values[at];
        prefix.letter = -Infinity;
      }
      continue;
    }
    const next = new Map<string, Prefix>();
    const prefixOf = (text: string): Prefix => {
      let found = next.get(text);
      if (found === undefined) next.set(text, (found = { text, blank: -Infinity, letter: -Infinity }));
      return found;
    };
    for (const { text, blank, letter } of beam.values()) {
      const all = sumOf(blank, letter);
      for (const k of likely) {
        const p = values[at + k];
        if (k === 0) {
          const same = prefixOf(text);
          same.blank = sumOf(same.blank, all + p);
          continue;
        }
        const sign = LINE_CHARACTERS[k - 1];
        const isLast = text.endsWith(sign);
        if (isLast) {
          const same = prefixOf(text);
          same.letter = sumOf(same.letter, letter + p);
        }
        if (begins !== undefined && !begins.test(text + sign)) continue;
        const longer = prefixOf(text + sign);
        longer.letter = sumOf(longer.letter, (isLast ? blank : all) + p);
      }
    }
    const kept = [...next.values()].sort((a, b) => sumOf(b.blank, b.letter) - sumOf(a.blank, a.letter)).slice(0, WIDTH);
    beam = new Map(kept.map((prefix) => [prefix.text, prefix]));
  }
  return [...beam.values()]
    .map(({ text, blank, letter }) => ({ text, sum: sumOf(blank, letter) }))
    .sort((a, b) => b.sum - a.sum);
}

function isSize(text: string): boolean {
  return readDimension(text) !== undefined || readTolerance(text) !== undefined;
}

function sumOf(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === -Infinity ? most : most + Math.log(Math.exp(a - most) + Math.exp(b - most));
}
