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

/**
 * A word as people write it: figures 0 and 1 among letters are O, I and l, and letters that were cut are whole again (1V for
 * N, VV for W, empty brackets for 0). Sizes keep their figures: M10, JS10, R0.1.
 */
export function asWord(read: string): string {
  // The halves of a cut 0.
  const text = read.replace(/(?<=[A-Z\d.,])\(\)(?=[A-Z\d])/g, '0');
  const known = KNOWN[text];
  if (known !== undefined) return known;
  if (!/^[A-Za-z01&().,:/-]+$/.test(text) || (text.match(/[A-Za-z]/g) ?? []).length < 2) return text;
  const whole = text.replace(/(?<=[A-Z])1V|1V(?=[A-Z]{2})/g, 'N').replace(/VV/g, 'W');
  const isLong = (whole.match(/[A-Za-z]/g) ?? []).length >= SHORT - 1 && whole.length >= SHORT;
  const between = isLong ? /(?<=[A-Za-z]|^)[01](?=[A-Za-z]|$)/g : /(?<=[A-Za-z])[01](?=[A-Za-z])/g;
  return whole.replace(between, (figure, at: number) => {
    const isSmall = /[a-z]/.test(whole[at - 1] ?? whole[at + 1] ?? '');
    return figure === '0' ? (isSmall ? 'o' : 'O') : isSmall ? 'l' : 'I';
  });
}
