import { likelihoodOf } from './likelier-size.js';
import type { PageInk } from './page-ink.js';
import type { PictureText } from './picture-text.js';
import { lineBetween, STRETCH_BOUNDS } from './stretched-line.js';

/** Numbers of a text, but for those in names, counts and angles, and what holds them: a sign of a deviation. */
const NUMBER = /(?<![\d.,A-QS-Za-z])(?<sign>[±+\-/]?)\s?(?<number>\d*[.,]?\d+)(?![\d.,]*\s?[xX°])/g;
const POINTED = /^(?<whole>\d*)[.,](?<decimals>\d+)$/;
/** Longer texts are notes. */
const MOST_LETTERS = 20;
/** Paper about a line that is read again, in heights of its capitals. */
const BESIDE = 0.2;
/** Fewest numbers of a page that tell how they are written there, counted as below. */
const FEWEST = 1.5;
/**
 * A number with a point may be less likely by this much, logarithm: narrow points between letters have often no more of
 * the network. With what the page says, by the second number. What is less likely by the third is surely none.
 */
const LESS = -3.2;
const LESS_ON_PAGE = -2;
const SURELY = -4;
/** Added to counts of forms; what numbers with other decimals and other figures before them count. */
const PRIOR = 0.5;
const OTHER_DECIMALS = 0.2;
const OTHER_FIGURES = 0.5;

/** How likely it is that a text says something, logarithm; undefined for a text that cannot be asked. */
export type Likelihoods = (text: PictureText) => ((said: string) => number) | undefined;

/** The likelihoods of texts of a page: its lines are read again, within the bounds of stretches. */
export function likelihoodsIn(part: PageInk): Likelihoods {
  const budget = { ...STRETCH_BOUNDS };
  return (text) => {
    const around = BESIDE * text.height;
    const whole = lineBetween(text, -around, text.width + around, part, budget);
    return whole && ((said) => likelihoodOf(whole.scores, said));
  };
}

/** How a number is written. */
interface Form {
  readonly isDeviation: boolean;
  /** Figures before the point; 0 where numbers below one have no zero there. */
  readonly figures: number;
  readonly decimals: number;
}

/** A number of a text that has no point, and the likeliest form with one. */
interface Candidate {
  readonly own: Form;
  readonly pointed: Form;
  /** The word of the text, and the word with the point. */
  readonly word: number;
  readonly said: string;
  /** How much less likely it is, logarithm. */
  readonly less: number;
}

/**
 * Texts of a drawing with points that the reader of lines held for less likely than none: small ones between letters
 * that nearly touch. A point counts where the network gives it a chance, and most numbers of the page with as many
 * figures have one at that place.
 * @param texts lines of a page, words joined by gaps.
 */
export function withUsualPoints(texts: readonly PictureText[], likelihoodsOf: Likelihoods): PictureText[] {
  const counts = new Map<string, number>();
  const points = new Map<string, number>();
  const sized = texts.filter(({ text, count }) => /\d/.test(text) && count <= MOST_LETTERS);
  for (const { text } of sized)
    for (const { form, number } of numbersOf(text)) {
      if (form.decimals === 0) continue;
      add(counts, form);
      const point = number.includes(',') ? ',' : '.';
      points.set(point, (points.get(point) ?? 0) + 1);
    }
  const usual = [...points].sort((a, b) => b[1] - a[1])[0]?.[0];
  if (usual === undefined) return [...texts];
  const found = new Map<PictureText, readonly Candidate[]>();
  for (const text of sized) {
    const tried = triedOf(text, usual, counts);
    if (tried.length === 0) {
      addWhole(counts, text.text);
      continue;
    }
    const likelihood = likelihoodsOf(text);
    if (likelihood === undefined) continue;
    const own = likelihood(text.text);
    const likely = tried
      .map((each) => ({ ...each, less: likelihood(withWord(text, each)) - own }))
      .filter(({ less }) => less > SURELY);
    if (likely.length === 0) addWhole(counts, text.text);
    found.set(text, likely);
  }
  return texts.map((text) => {
    const worth = ({ own, pointed, less }: Candidate): number =>
      less + Math.log((countOf(counts, pointed) + PRIOR) / (countOf(counts, own) + PRIOR));
    const best = (found.get(text) ?? [])
      .filter((each) => each.less > LESS && worth(each) > LESS_ON_PAGE)
      .toSorted((a, b) => worth(b) - worth(a))[0];
    if (best === undefined) return text;
    const words = text.words.map((word, i) => (i === best.word ? { ...word, text: best.said } : word));
    return { ...text, text: words.map((word) => word.text).join(' '), words };
  });
}

function numbersOf(text: string): readonly { readonly form: Form; readonly number: string; readonly at: number }[] {
  return [...text.matchAll(NUMBER)].map(({ 0: found, index, groups }) => {
    const number = groups!.number;
    const pointed = POINTED.exec(number)?.groups;
    const whole = pointed === undefined ? number : pointed.whole;
    const form = {
      isDeviation: /[±+-]/.test(groups!.sign),
      figures: whole.length,
      decimals: pointed === undefined ? 0 : pointed.decimals.length,
    };
    return { form, number, at: index + found.length - number.length };
  });
}

/** The forms with a point that the numbers of a text without one may have, which others of the page have. */
function triedOf(text: PictureText, point: string, counts: ReadonlyMap<string, number>): Omit<Candidate, 'less'>[] {
  return text.words.flatMap((word, i) =>
    numbersOf(word.text).flatMap(({ form, number, at }) => {
      if (form.decimals > 0) return [];
      const tried: Omit<Candidate, 'less'>[] = [];
      for (let figures = 0; figures < number.length; figures++) {
        const pointed = { ...form, figures, decimals: number.length - figures };
        if (countOf(counts, pointed) < FEWEST) continue;
        // A number of several figures does not begin with a zero, and a zero alone has no point.
        if (figures > 1 && number.startsWith('0')) continue;
        if (figures === 0 && !/[1-9]/.test(number)) continue;
        const said = `${word.text.slice(0, at + figures)}${point}${word.text.slice(at + figures)}`;
        tried.push({ own: form, pointed, word: i, said });
      }
      return tried;
    }),
  );
}

function withWord({ words }: PictureText, { word, said }: Pick<Candidate, 'word' | 'said'>): string {
  return words.map(({ text }, i) => (i === word ? said : text)).join(' ');
}

/**
 * Numbers of a kind that are written alike, with a zero before the point or without one: those with as many figures and
 * decimals, and of others a share.
 */
function countOf(counts: ReadonlyMap<string, number>, { isDeviation, figures, decimals }: Form): number {
  let count = 0;
  for (const [key, each] of counts) {
    const [kind, before, behind] = key.split(' ').map(Number);
    if (kind !== Number(isDeviation) || (behind === 0) !== (decimals === 0)) continue;
    if (decimals > 0 && (before === 0) !== (figures === 0)) continue;
    count += (behind === decimals ? 1 : OTHER_DECIMALS) * (before === figures ? 1 : OTHER_FIGURES) * each;
  }
  return count;
}

function addWhole(counts: Map<string, number>, text: string): void {
  for (const { form } of numbersOf(text)) if (form.decimals === 0) add(counts, form);
}

function add(counts: Map<string, number>, { isDeviation, figures, decimals }: Form): void {
  const key = `${Number(isDeviation)} ${figures} ${decimals}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
