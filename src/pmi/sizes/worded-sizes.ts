import { areSidesOfOther, plainSigns, readDimension } from '../dimension-text.js';
import { areWordsOfCount, areWordsOfDepth, CIRCLE } from '../dimension-words.js';
import type { DimensionReading } from './dimension.js';
import { isOtherQuantity } from './other-quantities.js';

/** Words before a number that name something with it. */
const NAMES = /^(?:notes?|pos|items?|parts?|teil|see|siehe|detail|view|rev|typ|type|no|nr|fig|sheet|step|op)\.?:?$/iu;
/** Between two sizes of which one holds: `60° oder 120°`. */
const CHOICE = /^(?:or|oder|ou|o|oppure|lub|или)$/iu;
/** Bodies whose standards have numbers: `DIN 332 A4` is no 332 with a fit. */
const STANDARD = /^\(?(?:DIN|ISO|EN|UNI|NF|BS|ANSI|ASME|ASTM|JIS|GB|GOST|ГОСТ|PN|SS|VDI|SAE|MIL|AISI)$/u;
/** Longer texts are notes, and so are those with more words about their size. */
const MOST_WORDS = 8;
const MOST_ABOUT = 4;
/** Longer texts are none. */
const LONGEST = 80;
/** A word of any language, in brackets too, without a figure or a sign. */
const WORD = /^[("„]?\p{L}[\p{L}.'’/-]*[)"“.,:;]?$/u;
/** A count before the name of what is counted: `3 Durchgangsbohrungen ⌀9`. */
const COUNT = /^\d{1,3}$/;
const COUNTED = /^\p{L}{4,}/u;
const ON_CIRCLE = new RegExp(String.raw`(?<!\p{L})(?:${CIRCLE})(?!\p{L})`, 'iu');
/** Notes about all sizes that are not stated, and parts that are bought: no size of what a leader shows. */
const OF_ALL = /^(?:alle|all|any|unbema(?:ß|ss)te?|unspecified|undimensioned|tou[st]e?s?|tutt[ei]|tod[ao]s)$/iu;
// A German `Nut` is a groove.
const BOUGHT =
  /^(?:bearings?|\p{L}*lager|roulements?|cuscinett[oi]|rodamientos?|screws?|bolts?|studs?|nuts|washers?|rivets?|pins?|\p{L}*(?:schraube|mutter|scheibe|stift|niet)[en]*|vis|[ée]crous?|rondelles?|viti|dad[oi]|tornillos?|tuercas?)$/iu;

/**
 * A size with words about it that no grammar knows: `Bohrung ⌀5`, `M4 THREAD`, `R10 (KONSTANT)`, `Nut 5 P9`. What is
 * left without them is a size by its sign or its tolerance. The words stay in its text. Undefined for other texts.
 * @param options mayBePlain: whether a plain number is enough, as in the text of a dimension: `26 Bohrung`.
 */
export function wordedSize(text: string, { mayBePlain = false } = {}): DimensionReading | undefined {
  if (text.length > LONGEST || !/\d/.test(text)) return undefined;
  const words = plainSigns(text).split(' ');
  if (words.length < 2 || words.length > MOST_WORDS || words.some((word) => OF_ALL.test(word) || BOUGHT.test(word)))
    return undefined;
  if (isOtherQuantity(words.join(' ')) || words.some((word) => CHOICE.test(word))) return undefined;
  if (words.some((word, i) => STANDARD.test(word) && /^\d/.test(words[i + 1] ?? ''))) return undefined;
  // `4 trous taraudés M5`, and no 4 with the fit M5.
  if (COUNT.test(words[0]) && areWordsOfCount(words[1], ''))
    return countedSize(
      words,
      words.map((word) => WORD.test(word)),
    );
  // One word may stand about a plain number, if it does not name something.
  const isPlain = mayBePlain && words.length === 2 && !words.some((word) => NAMES.test(word));
  const areWords = words.map((word) => WORD.test(word));
  const firsts = areWords.indexOf(false);
  for (let before = Math.min(firsts, MOST_ABOUT); before >= 0; before--)
    for (const [from, to] of [[0, 0], ...runsOf(areWords, firsts + 1)]) {
      const said = [...words.slice(before, from), ...words.slice(Math.max(before, to))].join(' ');
      const reading = said.length < text.length && (isPlain ? readDimension(said) : markedSize(said));
      // `Nut 6 N9 x 3,5 tief`: of which of both the tolerance is, no reader of the words in one could tell.
      const isOpen = reading && reading.kind === 'length' && reading.further && reading.toleranceTexts.length > 0;
      const about = [...words.slice(0, before), ...words.slice(from, to)].join(' ');
      const isOther = reading && reading.kind === 'chamfer' && areSidesOfOther(reading.text, about);
      if (reading && !isOpen && !isOther) return withWords(reading, words.slice(0, before), words.slice(from, to));
    }
  return countedSize(words, areWords);
}

/** Words behind a size, all or the first of those that stand together: from, and up to but without to. */
function runsOf(areWords: readonly boolean[], at: number): readonly (readonly [from: number, to: number])[] {
  const from = areWords.indexOf(true, at);
  if (from < 0) return [];
  const end = areWords.indexOf(false, from);
  const most = Math.min(end < 0 ? areWords.length : end, from + MOST_ABOUT);
  const runs = Array.from({ length: most - from }, (_, i) => [from, most - i] as const);
  return end < 0 ? runs : [...runs, ...runsOf(areWords, end)];
}

function markedSize(text: string): DimensionReading | undefined {
  // `DWG 12-M8` is a name.
  if (/^\d+\s?-/.test(text)) return undefined;
  const reading = readDimension(text);
  const isMarked = reading !== undefined && (reading.kind !== 'length' || reading.toleranceTexts.length > 0);
  return isMarked ? reading : undefined;
}

function withWords(reading: DimensionReading, before: readonly string[], behind: readonly string[]): DimensionReading {
  return { ...reading, text: [...before, reading.text, ...behind].join(' ') };
}

/** A number, the name of what is counted, and the size of one. */
function countedSize(words: readonly string[], areWords: readonly boolean[]): DimensionReading | undefined {
  const count = COUNT.test(words[0]) ? Number(words[0]) : 1;
  const from = areWords.indexOf(false, 1);
  if (count < 2 || from < 2 || !COUNTED.test(words[1]) || areWordsOfDepth(words[1])) return undefined;
  const rest = words.slice(from).join(' ');
  const reading = markedSize(rest) ?? wordedSize(rest);
  if (reading?.count !== 1) return undefined;
  // Holes lie on one circle.
  const isCircle = ON_CIRCLE.test(rest);
  return { ...withWords(reading, words.slice(0, from), []), count: isCircle ? 1 : count };
}
