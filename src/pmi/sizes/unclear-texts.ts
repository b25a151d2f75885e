import { readDimension } from '../dimension-text.js';
import type { TextLine } from '../text-lines.js';
import { isFastener, isSteel } from './no-sizes.js';
import { isCountAlone } from './counts-below.js';
import { NUMBER, plainSigns } from './numbers.js';

/** Longer texts are notes. */
const MOST_WORDS = 8;
/** An exact size that is typed, or one in a second unit; numbers of notes are small. */
const BRACKETED = new RegExp(
  String.raw`^\[\s?(?:\d{2,}|(?:S?⌀|R)\s?${NUMBER}|\d*[.,]\d+)(?:\s?(?:mm|in|["″°]))?\s?\]$`,
);
/** A size of a table of variants, or the value of something else. */
const LETTERED = new RegExp(String.raw`^[A-Z]\d?\s?=\s?(?:S?⌀|R)?\s?${NUMBER}(?:\s?mm)?$`);
/** What sizes begin with, and what they alone hold: a diameter, a deviation to both sides. */
const BEGINS = /^(?:(?:\p{L}{1,4}\.? |[x×] ?)?\d|[([⌀⌴⌵↧⌒□]|[MRCS]\d|S[⌀R]|MJ\s?\d)/u;
const HOLDS = /⌀\s?[\d.,]|[\d.,)°]\s?(?:[A-Za-z]{1,2}\d{1,2}\s?)?±\s?[\d.,]/;

/** A size and another one in brackets, which is not the same in another unit: `100 (99.5)`. */
const TWO_SIZES = new RegExp(String.raw`^(?:S?⌀|R)?\s?${NUMBER}\s?\((?:S?⌀|R)?\s?\d*[.,]\d+\)$`);
/** A tolerance that stands by itself, and no size took. */
const ALONE = new RegExp(String.raw`^±\s?${NUMBER}(?:\s?(?:mm|in|["″°'′]))?$`);

/** Names of circles that holes lie on without a sign of diameters, and depths: sizes, or names of something else. */
const NAMED = new RegExp(String.raw`^(?:(?:TK|LK|B\.?C\.?)|DEPTH|DEEP|Tiefe|profondeur)\s?${NUMBER}(?:\s?mm)?$`, 'i');

/** A ratio: of a taper, a slope, or the scale of a view. */
const RATIO = /(?<![\d:.,])1\s?:\s?(?:\d{1,4}(?:[.,]\d{1,3})?)(?![\d:.,])/;
/** What makes a ratio that of a taper or a slope (ISO 3040, ISO 129-1), in the languages of drawings. */
const TAPERS = new RegExp(
  String.raw`[⌲⌳▷▻⊳◁⊲∠]|(?<!\p{L})(?:TAPER(?:ED)?|CON(?:E|ICITY|ICITÉ|ICITA|ICITÀ|ICIDAD)|` +
    String.raw`Kegel(?:verhältnis|verjüngung)?|Verjüngung|Neigung|SLOPE|INCLINE|PENTE|PENDENZA|INCLINAZIONE|` +
    String.raw`PENDIENTE)(?!\p{L})`,
  'iu',
);
/** Scales that views have (ISO 5455). */
const SCALE = /^\(?1\s?:\s?(?:1|2|5|10|20|50|100|200|500|1000)\)?$/;

/**
 * Whether a text states a taper or a slope, for which annotations have no type.
 * @param isHeld whether a line of a dimension or a leader holds it: by itself it is the scale of a view.
 */
export function isTaper({ text }: Pick<TextLine, 'text'>, isHeld: () => boolean): boolean {
  const plain = plainSigns(text);
  if (plain.split(' ').length > MOST_WORDS || !RATIO.test(plain)) return false;
  if (TAPERS.test(plain)) return true;
  const isAlone = plain.replace(RATIO, '').replace(/[()\s]/g, '') === '';
  return isAlone && (!SCALE.test(plain) || isHeld());
}

/** Words of a text on a dimension line. */
const MOST_OF_SIZE = 4;
/** Words of a callout. */
const MOST_OF_CALLOUT = 7;
const OF_SIZE = /^(?:TYP\b|[x×]\s?[\d.,]|\d|[([⌀⌴⌵↧⌒□±.,]|[MRC]\d|S[⌀R])/i;
/** A figure before a word alone is a name: `3D SOLID`. */
const NAME = /^\d+[A-Z]? [A-Za-z]{3,}$/;

/** Whether a text that a dimension line holds, and that was not read, may be its size. */
export function isNotUnderstood({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  if (plain.split(' ').length > MOST_OF_SIZE || isFastener(plain) || isSteel(plain) || NAME.test(plain)) return false;
  if (OTHER_MEASURE.test(plain)) return false;
  return OF_SIZE.test(plain) && /\d/.test(plain) && readDimension(plain) === undefined;
}

/** A parameter of a table of variants, `L`, `d1`, also with a number that is not said to be its value: `H 12.5`. */
const PARAMETER = new RegExp(String.raw`^\p{L}{1,2}(?:\d{0,2}|\s${NUMBER})$`, 'u');

/** Whether a text between the arrows of a dimension line names a parameter: its size stands elsewhere. */
export function isParameter({ text }: Pick<TextLine, 'text'>): boolean {
  return PARAMETER.test(plainSigns(text));
}

/** Threads and standard elements that no grammar knows: `W 1/2"`, `DIN 76-B`, `RKE 36.2`. */
const ELEMENT = /^\p{L}{1,4}\.?[\s-]?\d/u;

/** Whether a text between the arrows of a dimension line names something with a number, which may be a size. */
export function isElement({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  return plain.split(' ').length <= MOST_OF_SIZE && ELEMENT.test(plain) && !isSteel(plain) && !isFastener(plain);
}

/** Names with figures, of which a callout may have others: a point `F65`, a pin `P$1`, a part `SXH-001T`. */
const NAMES = /^(?:\p{Lu}\$?\d{1,3}|\p{L}{2,}[-_.\p{L}]*\d[-_.\p{L}\d]*)$/u;
/** Years, the number of a note before its words, and the zero of positions. */
const NUMBERS = /^(?:\d{1,2}[.)]|(?:19|20)\d\d|0(?:[.,]0+)?)$/;
/** So many pieces, and what electricity is measured in: `4PCS`, `+5V`. */
const OTHER_MEASURE = /^[+-]?\d+(?:[.,]\d+)?\s?(?:pcs|stk|[mk]?[VWΩ]|m?A|[kMG]Hz)\.?$/iu;
/** Rounded by half of the width, whatever that is (ASME Y14.5, ISO 129-1). */
const FULL_RADIUS = /^(?:\d+\s?[xX×]\s?)?(?:FULL\s?R(?:AD(?:IUS)?)?\.?|R\s?FULL|\(R\))$/i;
/** Views that are turned by an angle. */
const ROTATED = /rotated|gedreht|tourn[ée]|ruotat|повернуто/iu;

/** Fewest letters of what pixels show of a size: single ones are pieces of lines and heads. */
const FEWEST_LETTERS = 2;

/** Whether a text of pixels that lines of a dimension hold may be its size, misread: a short one with a figure. */
export function mayBeSize({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  return plain.split(' ').length <= MOST_WORDS && plain.length >= FEWEST_LETTERS && /\d/.test(plain);
}

/** Whether a text that a leader points with, and that was not read, says a figure of what it shows: `Bl. 3`. */
export function isCallout({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  const words = plain.split(/[ :]/);
  if (words.length > MOST_OF_CALLOUT || isSteel(plain) || NAME.test(plain) || ROTATED.test(plain)) return false;
  if (/^\(?\d+[.)]?$/.test(plain) || OTHER_MEASURE.test(plain)) return false;
  const isName = (word: string): boolean =>
    NUMBERS.test(word) || (NAMES.test(word) && readDimension(word) === undefined);
  return words.some((word) => /\d/.test(word) && !isName(word));
}

/**
 * What a text holds that has a size in it, whatever stands about it: a sign before a number, a thread, deviations, a
 * class of fit, degrees that are no temperature, a roughness.
 */
const SIZE_WITHIN = new RegExp(
  String.raw`(?:[⌀⌴⌵↧⌒±√]|(?<![\p{L}-])□)\s?[\d.,]|` +
    String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\d.,_])(?:S?R|CR|R[atz]|Rmax|MJ?|Tr|Rd|UN[CFS])\s?` +
    String.raw`(?:\d|[.,]\d)(?!\d*\s?:)|` +
    String.raw`(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\s?)C\d|` +
    String.raw`\d\s?-\s?\d{1,2}\s?UN[CEFJRS]|\d:?\s[+-]\s?[\d.,]+\s?[/\s]\s?[+-]?[\d.,]+(?!\S)|` +
    String.raw`(?<![\p{L}\d])\d+(?:[.,]\d+)?\s?(?:[A-HJKMNP]|JS|[a-hjkmnp]|js)(?:[5-9]|1[0-3])(?![\p{L}\d])|` +
    String.raw`\d\s?°(?!°|\s?[CFK](?!\p{L}))`,
  'u',
);

/** Whether a short text has a size in it, which was not read. */
export function holdsSize({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  if (FULL_RADIUS.test(plain)) return true;
  return plain.split(' ').length <= MOST_WORDS && SIZE_WITHIN.test(plain) && !ROTATED.test(plain);
}

/** Words that a size follows, in the languages of drawings. What else follows names of holes and slots numbers them. */
const SIZE_WORDS = [
  'length|width|height|thickness|depth|radius|radii|diameter|dia|distance|spacing|pitch|chamfer|fillet|hex|AF|SQ|arc|edges?',
  'BCD|PCD|SW|wall|gauge|roughness|Rauheit|rugosité|rugosità|tolerance|flatness|straightness|roundness|cylindricity|perpendicularity|parallelism',
  'angularity|run-?out|concentricity|symmetry|position|profile',
  'Länge|Laenge|Kanten|Breite|Höhe|Hoehe|Dicke|\\p{L}+dicke|\\p{L}*stärke|\\p{L}*staerke|Tiefe|\\p{L}*radius',
  '\\p{L}*durchmesser|\\p{L}*abstand|Teilung|Steigung|Fase|Kernloch|Schlüsselweite|Bogen|Toleranz|Ebenheit|Geradheit|Rundheit|Zylindrizität',
  'Rechtwinkligkeit|Parallelität|Neigung|Rundlauf|Planlauf|Koaxialität|Symmetrie|Flachheit|Versatz',
  'longueur|largeur|hauteur|épaisseur|ép\\.?|profondeur|rayon|diamètre|planéité|lunghezza|larghezza|altezza|spessore',
  'profondità|raggio|diametro|planarità|longitud|ancho|altura|espesor|profundidad|radio|diámetro|planitud',
  'długość|szerokość|wysokość|grubość|głębokość|promień|średnica|faza|длина|ширина|высота|толщина|глубина|радиус|диаметр|фаска',
  '長さ|幅|高さ|厚さ|板厚|深さ|半径|直径|长度|宽度|高度|厚度|深度',
].join('|');
/** Names of holes, which a whole number counts or numbers. */
const HOLES = '\\p{L}*bohrung(?:en)?|holes?|trous?|perçages?|fori|otwory|отв(?:ерстия|\\.)?';
/**
 * What a number with a point, or of few figures, is the size of: `FLATNESS 0.05`, `12 tief`, `0.02 MAX RUNOUT`,
 * `longueur développée 245`, `Blechdicke s=2`.
 */
const OF_WORD = new RegExp(
  String.raw`(?<!\p{L})(?:${SIZE_WORDS})(?!\p{L})(?:\s\p{Ll}{4,})?\s?[:=]?\s?(?:max\.?|min\.?|ca\.?)?\s?(?:\p{L}\s?=\s?)?` +
    String.raw`(?:\d{1,4}(?!\d)|\d*[.,]\d)|(?<!\p{L})(?:${HOLES})\s\d*[.,]\d|` +
    String.raw`\d\s(?:(?:max|min)\.?\s)?(?:tief|lang|breit|dick|hoch|deep|long|wide|thick|run-?out)(?!\p{L})`,
  'iu',
);
/** A parameter with its value among other words: `A = 25, B = 30`, `Variante 1: L=100`. */
const EQUATION =
  /(?<![\p{L}\d])⌀?\p{L}(?:\p{L}?\d?|x\d)\s?=\s?\d+(?:[.,]\d+)?(?!\s?(?:[%‰]|\p{L}{1,4}(?!\p{L}))|[\d.,]*\s?°\s?[CFK])/u;
/** A number of millimetres, micrometres, grads or radians, which is no part of another unit, and sides. */
const OF_UNIT = /(?<![\p{Script=Latin}\d])\d*[.,]?\d+\s?(?:mm|[µμ]m|gon|grad|rad)(?![\p{L}\d²³/^])/iu;
const SIDES = /(?<![\p{L}\d])\d+(?:[.,]\d+)?(?:\s?[x×]\s?\d+(?:[.,]\d+)?){1,2}(?![\p{L}\d])/iu;
/** A number with a deviation to one side, at the end. */
const DEVIATING = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)?\s[+-]\s?\d*[.,]\d+$/u;
/** Parts that a standard states, and sheets of paper. */
const OF_STANDARD = new RegExp(
  String.raw`(?<!\p{L})(?:DIN|ISO|EN|UNI|NF|JIS|ASME|ANSI|BS|GOST|ГОСТ)(?!\p{L})|` +
    String.raw`(?<![\p{L}\d])A[0-4](?![\p{L}\d])|format`,
  'iu',
);

/** The throat or the leg of a weld: `Schweißnähte a4`, `WELD z6 ALL ROUND`. */
const OF_WELD = new RegExp(
  String.raw`(?=.*(?:weld|schwei(?:ß|ss)|naht|soud|cordon|sald|soldad|spaw|spoin|свар))` +
    String.raw`.*(?<![\p{L}\d])(?:[asz]\s?\d{1,2}|\d\/\d{1,2})(?![\p{L}\d])`,
  'iu',
);

/** What is made with a tool of a size in inches or with decimals: `DRILL & REAM FOR 1/4 DOWEL`. */
const OF_TOOL =
  /(?<!\p{L})(?:drill|ream|tap|bore|c'?bore|csk|spot-?face|broach|dowel|slot|groove|bohren|reiben)(?!\p{L}).*(?<![\d/.,])(?:\d{1,2}\/\d{1,2}|\d*[.,]\d+|#\d{1,2})(?![\d/])|(?:#\d{1,2}|letter \p{L})\sdrill/iu;
/** A roughness behind its number, and a hardness: `1.6 Ra`, `HRC 28-32`, `58+2 HRC`. */
const OF_SURFACE = new RegExp(
  String.raw`\d\s?(?:[µμ]m\s)?R[az](?!\p{L})|(?<!\p{L})(?:HR[ABC]|HB[WS]?|HV|R[Cc])\s\d{2}|` +
    String.raw`(?<!\p{L})(?:HR[ABC]|HB[WS]?|HV)\d|\d\s?(?:HR[ABC]|HB[WS]?|HV)(?!\p{L})`,
  'u',
);

/** Whether a text states a roughness or a hardness in a form that no annotation has. */
export function namesSurface({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  return plain.split(' ').length <= MOST_WORDS && OF_SURFACE.test(plain);
}

/** Whether a short text names a size by its unit, its sides, a deviation or a word, which was not read. */
export function namesSize({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  if (plain.split(' ').length > MOST_WORDS) return false;
  if (OF_WELD.test(plain) || OF_TOOL.test(plain) || namesSurface({ text })) return true;
  if (OF_STANDARD.test(plain) || isFastener(plain)) return false;
  return [OF_WORD, OF_UNIT, SIDES, DEVIATING, EQUATION].some((pattern) => pattern.test(plain));
}

/** Whether a text that was not read is like a size, so that a reader of the list should look at it. */
export function isUnclear({ text }: Pick<TextLine, 'text'>): boolean {
  const plain = plainSigns(text);
  if (plain.split(' ').length > MOST_WORDS) return false;
  if (isFastener(plain)) return false;
  if (isCountAlone(plain) && /\p{L}{2}/u.test(plain)) return true;
  if (NAMED.test(plain) || BRACKETED.test(plain) || LETTERED.test(plain) || ALONE.test(plain) || TWO_SIZES.test(plain))
    return true;
  return BEGINS.test(plain) && HOLDS.test(plain);
}
