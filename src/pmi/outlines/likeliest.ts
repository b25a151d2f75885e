import type { GlyphCandidate } from '../glyph.js';

/** Letters and the digits that look like them. */
const LIKE: readonly (readonly [letters: string, digit: string])[] = [
  ['OoDQ', '0'],
  ['lIi|!', '1'],
  ['Zz', '2'],
  ['Ss', '5'],
  ['Gb', '6'],
  ['B', '8'],
  ['gq', '9'],
];
/** A letter that is no digit where it ends a number, `20T`, and one between two figures: the technical font's 7. */
const BETWEEN_FIGURES = /(?<=\d)T(?=\d)/g;
/** Probability from which a digit is preferred to a letter among digits. */
const LEAST_DIGIT = 0.02;
/** Probability of a one that is known by its hook. */
const SURE_ONE = 0.9;

/** Letters whose small and large forms look alike. */
export const SAME_FORM = 'cosuvwxz';
/** Small letters are lower than this share of the height of capitals. */
const SMALL_HEIGHT = 0.87;

/** A bar between two deviations, `+0.2/-0.1`, or between the fits of a hole and its shaft, `H8/e8`. */
const BAR = /(?<=\d)[Il|](?=[+-][\d.,])|(?<=[A-Z]\d{1,2})[Il|](?=[a-z]{1,2}\d)/g;
/** A round letter beside a decimal point, between digits, or between one and the sign of a count, of feet or inches. */
const ZERO = new RegExp(
  String.raw`O(?=[.,][\dO])|(?<=[.,][\dO]*)O|(?<=\d)O(?=[xX×])|^O(?=\/[+-])|(?<=\d-)O(?=\d)|` +
    String.raw`(?<=\d)O(?=-?\d)|(?<=\d\/)O$|(?<=\d)O(?=['"])`,
  'g',
);

/**
 * A bar that was read as a one, as steep bars of bold letters are: between a deviation and a zero, where a number would
 * have two points, and in threads of inches, `1/4-20`.
 */
const BAR_AS_ONE = /(?<=[+-]\d*[.,]\d+)1(?=0[.,]0+$|0$)|(?<=^0[.,]0+)1(?=-\d*[.,]\d+$)/g;

/** On slanted views a point between digits may look like a quotation mark, and the zero before it like a ring. */
const POINT_AS_QUOTE = /(?<=[\d+-])"(?=\d)/g;
const MARK_OF_POINT = /(?<=[+-])°["'.](?=\d)/g;
/** A leaning `I` looks like a slash. */
const LEANING_I = /(?<=^M)\/(?=N$)|^\/(?=SO$)|(?<=^Z)\/(?=NC$)|\\(?=[A-Z])|(?<=[A-Z])\\/g;

/** A zero above a deviation, with the bar between them: `0/-0.19`. */
const ZERO_AND_BAR = /^[O0][Il|](?=[+-]\d)/;
/** A leaning six looks like a letter with two points: in a number, and in a fit. */
const DOTTED_SIX = /(?<=[\d.,])ö|ö(?=[\d.,])|(?<=(?:^|[\d/])[A-Za-z]{1,2})ö(?=$|\/)/g;

/** An `é` within a word looks like a six. */
const ACUTE = /(?<=[A-Za-z])6(?=[a-z]{2})|(?<=[a-z]{3})6(?=:?$)/g;
/** A capital among capitals, whose height is that of a small one where the others lean: `MAX`. */
const SMALL_X = /(?<=[A-Z]{2})x(?=$|\.)/;
/** No word begins so. */
const CAPITAL_I = /^l(?=n[a-z])/;
/** A small `m` whose right arch is apart: `max.`, `min.`, `mm`. */
const PARTED_M = /(?<![A-Za-z])n[1lI](?=(?:ax|in|m)(?:$|[.\d]))/;
/** The mark of inches and seconds, whose two strokes are glyphs of their own. */
const TWO_PRIMES = /(?<=\d)''/;
/** The shaft `m6` behind a hole, whose arches are apart. */
const FIT_OF_M = /(?<=^[A-Z]{1,2}\d{1,2}\/)n1(?=[4-9]$)/;
/** The fit, whose hook makes it as high as a capital: none is `Js`. */
const SMALL_J = /J(?=s\d)/;
/** The unit. */
const POUNDS = /^[I\\]b(?=s?$)/;

/** A plus and a bar, which are drawn apart, before a number. */
const PLUS_AND_MINUS = /(?:[-_]\+|\+[-_])(?=[\d.,])/g;

/** A glyph of a word: its candidates, and its height as a share of the height of capitals. */
export interface WordGlyph {
  readonly candidates: readonly GlyphCandidate[];
  readonly height: number;
}

/**
 * The characters of a word, chosen by likelihood, height and neighbours: letters that look like digits become digits
 * among digits, and vice versa.
 */
export function likeliest(glyphs: readonly WordGlyph[]): string {
  const likely = glyphs.map(({ candidates, height }) =>
    cased(candidates.find(({ text }) => text !== '')?.text ?? '', height),
  );
  // Rings among letters that are lower than zeros.
  const isWord = likely.some((text) => /[a-wyzA-WYZ]/.test(text));
  const first = likely.map((text, i) => (isWord && text === '0' && glyphs[i].height < SMALL_HEIGHT ? 'o' : text));
  const isCapitals = first.some((text) => /[A-HJ-Z]/.test(text)) && !first.some((text) => /[a-kmn-z]/.test(text));
  // Beside ones that have their hook, a bar is a slash: `07/11/2022`.
  const hasOnes = glyphs.some(({ candidates: [one] }) => one?.text === '1' && one.probability > SURE_ONE);
  const isNumeric = (text: string | undefined): boolean => text !== undefined && /[0-9.,±+°⌀]/.test(text);
  return first
    .map((text, i) => {
      const before = first[i - 1],
        after = first[i + 1];
      const numbers = Number(isNumeric(before)) + Number(isNumeric(after));
      const neighbours = Number(before !== undefined) + Number(after !== undefined);
      if (neighbours > 0 && numbers === neighbours) {
        const digit = LIKE.find(([letters]) => letters.includes(text))?.[1];
        if (hasOnes && isSlash(text, glyphs[i])) return '/';
        if (
          digit !== undefined &&
          (glyphs[i].candidates.some((each) => each.text === digit && each.probability >= LEAST_DIGIT) ||
            'OolI'.includes(text))
        )
          return digit;
      }
      const isLast = /^[.:]$/.test(after ?? '') && i + 2 === first.length;
      if (
        text === '0' &&
        neighbours > Number(isLast) &&
        [before, isLast ? undefined : after].every((each) => each === undefined || /[A-Zl]/.test(each))
      )
        return 'O';
      const isAmongCapitals = after !== undefined && /[A-Z]/.test(after) && (i === 0 || /[A-Z]/.test(before));
      if (text === 'l' && (isCapitals || isAmongCapitals)) return 'I';
      const isEnd = after === undefined || /[,.;:]/.test(after);
      const isInWord = i > 0 && (isEnd ? /[a-z]/.test(before) : /[A-Za-z]/.test(before) && /[a-zI]/.test(after));
      if (text === 'I' && isInWord) return 'l';
      return text;
    })
    .join('')
    .replace(DOTTED_SIX, '6')
    .replace(BAR, '/')
    .replace(ZERO_AND_BAR, '0/')
    .replace(MARK_OF_POINT, '0.')
    .replace(POINT_AS_QUOTE, '.')
    .replace(ZERO, '0')
    .replace(BETWEEN_FIGURES, '7')
    .replace(BAR_AS_ONE, '/')
    .replace(LEANING_I, 'I')
    .replace(PARTED_M, 'm')
    .replace(TWO_PRIMES, '"')
    .replace(POUNDS, 'lb')
    .replace(FIT_OF_M, 'm')
    .replace(SMALL_J, 'j')
    .replace(ACUTE, 'é')
    .replace(CAPITAL_I, 'I')
    .replace(SMALL_X, 'X')
    .replace(PLUS_AND_MINUS, '±');
}

function isSlash(text: string, { candidates }: WordGlyph): boolean {
  return 'Il|'.includes(text) && candidates.some((each) => each.text === '/' && each.probability >= LEAST_DIGIT);
}

function cased(text: string, height: number): string {
  const small = text.toLowerCase();
  return SAME_FORM.includes(small) && text !== '' ? (height < SMALL_HEIGHT ? small : small.toUpperCase()) : text;
}
