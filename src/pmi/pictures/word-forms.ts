/** Shortest word whose first or last letter may be taken for a figure. */
const SHORT = 4;
/** Short words of title blocks with figures for letters. */
const KNOWN: Readonly<Record<string, string>> = Object.freeze({
  '1S0': 'ISO',
  '1SO': 'ISO',
  IS0: 'ISO',
  N0: 'NO',
  'N0.': 'NO.',
  Kg: 'kg',
  '1b': 'lb',
});

/** Words of a reference to general tolerances, which may stand without gaps. */
const GENERAL = /[1I]S[0O][\s-]?2768|2768[-.,_]|T[0O]LERANC/;

/** A whole line in which a reference to general tolerances stands, with its gaps and the small letter of its class. */
export function asGeneralTolerance(line: string): string | undefined {
  if (!GENERAL.test(line)) return undefined;
  return generalTolerance(line);
}

function generalTolerance(text: string): string {
  return (
    text
      .replace(/T[0O]LERANC/, 'TOLERANC')
      // One letter of these words is often lost where it touches the next.
      .replace(
        /^G?EN[ER]{1,2}A?L?\s?T[0O]L[ERANC]{4,6}E(S?)(?=[\s:]?\s?I[Ss]O)/,
        (_, s: string) => `GENERAL TOLERANCE${s}`,
      )
      .replace(
        /^G?en[er]{1,2}a?[li]?\s?tol[eranc]{4,6}e(s?)(?=[\s:]?\s?ISO)/,
        (_, s: string) => `General tolerance${s}`,
      )
      .replace(/(?<=TOLERANCES|TOLERANCE(?!S))\s?[^\s2]{0,4}(?=2768)/, ' ISO ')
      .replace(/(?<=^|[A-Z])[1I][Ss][0O]\s?(?=2768)/, (_, at: number) => (at === 0 ? 'ISO ' : ' ISO '))
      .replace(/2768[-.,_]{1,2}(?=[fmcvrHKL])/, '2768-')
      .replace(/(?<=2768-)rn/, 'm')
      .replace(/(?<=2768)-?t(?=[HKL]?$)/, '-f')
      .replace(/(?<=2768[- ])[MFCV](?![a-z])/, (letter) => letter.toLowerCase())
  );
}

/** A word of small letters with a capital of their form in it: `durCh`. */
const OF_SMALL = /^[a-z]+[CKOPSUVWXZ][a-z]+$/;

/**
 * A word as people write it: figures 0 and 1 among letters are O, I and l, and letters that were cut are whole again
 * (1V for N, VV for W, empty brackets for 0). Sizes keep their figures: M10, JS10, R0.1.
 */
export function asWord(read: string): string {
  const text = read
    // The halves of a cut 0, and those of a counterbore.
    .replace(/(?<=[A-Z\d.,])\(\)(?=[A-Z\d])/g, '0')
    .replace(/^((?:\d{1,2}[xX])?)(?:L?J|LI|U)(?=⌀)/, '$1⌴')
    .replace(/^((?:\d{1,2}[xX])?)[LU]⌴[JI]?|⌴[JI]$/, '$1⌴')
    // A deviation of zeros has a point, and one behind a size a gap before it.
    .replace(/(?<=^|\/)0(0{2,4})$/, '0.$1')
    .replace(/(?<=[.,]\d{1,4})(?:(0[.,]0+)\/?|(0)\/)(?=-(?:\d+[.,]|[.,])\d+$)/, ' $1$2/')
    .replace(/^\((\d+[.,]\d+)1$/, '($1)')
    .replace(/⌵\/(?=⌀)/, '⌵')
    // A cut T.
    .replace(/(?<=[A-Z]|^)1-(?=[A-Z]{2}|[0O]LER)/g, 'T')
    .replace(/(?<=^|\d)MAx$/, 'MAX');
  if (GENERAL.test(text)) return generalTolerance(text);
  const known = KNOWN[text];
  if (known !== undefined) return known;
  if (!/^[A-Za-z01&().,:/-]+$/.test(text) || (text.match(/[A-Za-z]/g) ?? []).length < 2) return text;
  const whole = text
    .replace(/(?<=[A-Z])1V|1V(?=[A-Z]{2})/g, 'N')
    .replace(/VV/g, 'W')
    .replace(OF_SMALL, (letters) => letters.toLowerCase());
  const isLong = (whole.match(/[A-Za-z]/g) ?? []).length >= SHORT - 1 && whole.length >= SHORT;
  const between = isLong ? /(?<=[A-Za-z]|^)[01](?=[A-Za-z]|$)/g : /(?<=[A-Za-z])[01](?=[A-Za-z])/g;
  return whole.replace(between, (figure, at: number) => {
    const isSmall = /[a-z]/.test(whole[at - 1] ?? whole[at + 1] ?? '');
    return figure === '0' ? (isSmall ? 'o' : 'O') : isSmall ? 'l' : 'I';
  });
}

/** Letters whose small form is the capital one made smaller, in the middle of a word of small letters. */
const SAME_FORM = /(?<=[a-z])[CKOPSUVWXZ]{1,2}(?=[a-z])/g;

/**
 * A word of a table or a title block as people write it: no capitals in the middle of small letters, `µm` behind a
 * figure, and a comma, not a point, before small letters that follow.
 * @param options isFollowed: whether a word of small letters stands behind it.
 */
export function asProse(read: string, { isFollowed = false } = {}): string {
  return asWord(read)
    .replace(SAME_FORM, (letters) => letters.toLowerCase())
    .replace(/(?<=^\d*|[a-z]\d{1,3})[uU]m$/, 'µm')
    .replace(isFollowed ? /(?<=[a-z]{2})\.$/ : /(?<=[a-z]{2})\.(?=[a-z]{2})/, ',');
}

/** The words of a value as people write them. */
export function proseOf(text: string): string {
  const words = text.split(' ');
  return words.map((word, i) => asProse(word, { isFollowed: /^[a-z]/.test(words[i + 1] ?? '') })).join(' ');
}
