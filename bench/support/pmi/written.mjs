// What stands on a drawing, in one spelling: the comparison of `bench pmi`. It knows nothing of the product's own
// reader of dimensions, so a string that the product takes apart wrongly stays wrong here.

/** Characters that look alike, and the letter in brackets that stands for the letter in a circle. */
const ALIKE = [
  [/[ØøΦφϕ∅ɸ⦰]/g, '⌀'],
  [/[º˚]/g, '°'],
  [/[−‐‑–]/g, '-'],
  [/[×✕✖]/g, 'x'],
  [/⏊|⟂/g, '⊥'],
  [/▱/g, '⏥'],
  [/⊕/g, '⌖'],
  [/\+\s?\/\s?-/g, '±'],
];
/** Names and signs that begin a control frame in the truths. */
const CHARACTERISTICS = { '//': '∥', '-': '⏤', position: '⌖', concentricity: '◎' };
const CIRCLED = { M: 'Ⓜ', L: 'Ⓛ', S: 'Ⓢ', F: 'Ⓕ', P: 'Ⓟ', T: 'Ⓣ', E: 'Ⓔ', U: 'Ⓤ' };
const NUMBER = String.raw`(?:\d+(?:[.,]\d+)?|[.,]\d+)`;
/** ISO 286; the classes of A to C begin at 8: `A3` is a datum target. */
const FIT = String.raw`(?:[ABC](?:[89]|1\d)|(?:CD|EF|FG|JS|Z[ABC]|[D-HJKMNPR-VXYZ]|cd|ef|fg|js|z[abc]|[a-hjkmnpr-vyz])\d{1,2})`;
/** Tolerances behind a size. A fit follows a digit: `R10` and `M8` are none. */
const BEHIND = [
  new RegExp(String.raw`(?<=[\d°])(±${NUMBER}°?)(\)?)$`),
  new RegExp(String.raw`(?<=[\d°])(\+${NUMBER}°?)[ /^]?(-${NUMBER}°?|0(?:[.,]0+)?°?)$`),
  new RegExp(String.raw`(?<=[\d°]) ?\b(0(?:[.,]0+)?°?)[ /^](-${NUMBER}°?)$`),
  new RegExp(String.raw`(?<=\d)(${FIT}(?:/${FIT})?)$`),
];
const ABOVE_AND_BEHIND = new RegExp(String.raw`^([+-]?${NUMBER}) (\S*${NUMBER}°?)(-${NUMBER}°?)$`);
const LIMITS = new RegExp(String.raw`^(.*?)(${NUMBER})[-/ ](${NUMBER})$`);

/** What stands between a whole number and its fraction: without it, 1 1/2 would be 11/2. */
const WHOLE_AND_FRACTION = '_';

/**
 * A text in one spelling: signs that look alike are one, a comma is a decimal point, and the count is followed by a
 * small x. Spaces and the bars of a control frame are left out, but the gap before a fraction stays. Letter case stays:
 * H7 is a hole and h7 a shaft.
 */
export function spelled(text) {
  return ALIKE.reduce((said, [from, to]) => said.replace(from, to), text.normalize('NFC'))
    .replace(/\\~|\\n|[\s\u00a0\u2000-\u200b]/g, ' ')
    .replace(/\(([MLSFPTEU])\)/g, (_, letter) => CIRCLED[letter])
    .replace(/(?<=\d)\s?X(?=[\s\d⌀RSMCG#(.⌴⌵↧]|$)/g, 'x')
    .replaceAll(',', '.')
    .replace(/(?<=\d) +(?=\d+\/\d)/g, WHOLE_AND_FRACTION)
    .replace(/[ |]/g, '');
}

/**
 * Text and tolerance of an item of a truth, apart. `tol` is what the truth says of the tolerance, if it says so;
 * otherwise a tolerance at the end of the text is taken for one. Limits are a text of two sizes.
 */
export function wantedOf({ text, tol, group }) {
  const said = text.replace(/\\n|\\~/g, ' ').replace(/ \(note \d+\)$/, '');
  if (group === 'gdt') {
    const named = said.replace(/^(\S+)/, (sign) => CHARACTERISTICS[sign] ?? sign);
    return { text: spelled(named).replaceAll('/', ''), tolerance: '' };
  }
  if (group === 'datum_target') return { text: spelled(said.replace('/', ' ')), tolerance: '' };
  if (/^limits /.test([tol].flat()[0] ?? '')) return { text: limitsOf(said), tolerance: '' };
  if (tol !== undefined && tol !== null) {
    const tolerance = toleranceOf([tol].flat());
    const whole = spelled(said);
    const own = tolerance !== 'basic' && whole.endsWith(tolerance) && whole !== tolerance;
    return { text: own ? whole.slice(0, -tolerance.length) : limitsOf(said), tolerance };
  }
  const above = ABOVE_AND_BEHIND.exec(said.replaceAll('−', '-'));
  if (
    above !== null &&
    Number(above[1].replace(',', '.')) < Number.parseFloat(above[2].replace(/^.*?(?=[\d.,]+°?$)/, ''))
  )
    return { text: spelled(above[2]), tolerance: toleranceOf([above[1], above[3]]) };
  // A chamfer's `1x45°` and the fit-like `SR` are sizes; what matches here follows a digit.
  const plain = ALIKE.reduce((all, [from, to]) => all.replace(from, to), said)
    .replace(/\s*([±+-])\s*(?=[\d.,])/g, '$1')
    .replace(/(?<=\d) ?([A-Za-z]{1,2}) ?(\d{1,2})(\/[A-Za-z]{1,2}\d{1,2})?$/, '$1$2$3')
    .trim();
  for (const pattern of BEHIND) {
    const found = pattern.exec(plain);
    if (found === null) continue;
    const parts = found.slice(1).filter((each) => each !== undefined && each !== '' && each !== ')');
    return { text: spelled(plain.slice(0, found.index)), tolerance: toleranceOf(parts) };
  }
  return { text: limitsOf(said), tolerance: '' };
}

/** Text and tolerance of an object that the product found, in the same spelling. */
export function foundOf({ parts, typeId }) {
  const tolerance = toleranceOf(parts.flatMap((part) => part.tolerance ?? []));
  const texts = parts.map(({ text }) => text);
  const text = typeId === 5 ? spelled(texts.join(' ')).replaceAll('/', '') : limitsOf(texts.join(' '));
  return { text, tolerance };
}

/**
 * Two sizes that are the limits of one, as larger and smaller: `16.00/15.50`, or an ascending range, `5.8-5.85`. Two
 * sizes that stand one above the other have the same places.
 */
function limitsOf(text) {
  const found = LIMITS.exec(ALIKE.reduce((all, [from, to]) => all.replace(from, to), text).trim());
  if (found === null) return spelled(text);
  const [, before, ...sizes] = found;
  const places = sizes.map((size) => /[.,](\d+)$/.exec(size)?.[1].length ?? 0);
  const [first, second] = sizes.map((size) => Number(size.replace(',', '.')));
  const isRange = first < second && Math.max(...places) > 0;
  const isStacked = first > second && places[0] === places[1] && places[0] > 0;
  if (!(isRange || isStacked) || Math.abs(first - second) >= 0.3 * Math.max(first, second)) return spelled(text);
  return spelled(`${before}${isRange ? `${sizes[1]}/${sizes[0]}` : `${sizes[0]}/${sizes[1]}`}`);
}

/** Tolerance strings as one, as they were written: `±0.1` and `+0.1 -0.1` differ. */
function toleranceOf(strings) {
  return strings
    .flatMap((each) => spelled(each.replace(/\^/g, ' ')).split(/\/(?=[+-]|0)/))
    .map((each) => each.replace(/^\((.*)\)$/, '$1'))
    .filter((each) => each !== '')
    .join(' ');
}
