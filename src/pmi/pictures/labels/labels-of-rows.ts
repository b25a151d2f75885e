import type { LineScores } from '../line-net.js';
import type { WholeLine } from '../whole-line.js';
import { likeliestOf, type KnownText, type LikelyText } from './known-words.js';
import { LABEL_WORDS } from './label-words.js';

/**
 * A line is a label where that is no less likely for each letter, and likelier than one of another meaning by the
 * second number; the third holds for lines that are less sure than the fourth.
 */
const LIKE_LABEL = -2.6;
const CLEARLY = 2;
const FAINT_LABEL = -5;
const UNSURE = -0.1;
/**
 * A long label whose letters are nearly those that were read is one where all of them together are likelier than one of
 * another meaning by the second number.
 */
const LONG_LABEL = 6;
const NEAR_LABEL = -1.3;
const CLEARLY_IN_ALL = 3;
/**
 * The same of lines that are like several labels, where only those are compared that ask for what no other line of the
 * page asks for: shortest such line, least likelihood, and by how much it is likelier than another one.
 */
const FEW_LETTERS = 3;
const LIKE_LEFT = -3.5;
const LIKELIER = 0.7;
/** Fewest clear labels of a page that has a title block. */
const FEW_LABELS = 2;

/** A line that may be a label. */
export interface LabelledLine {
  readonly whole: WholeLine;
  /** Number of its letters. */
  readonly count: number;
}

/** The label of a title block that a line is, though some of its letters may look like others. */
export function labelOf(line: LabelledLine): string | undefined {
  return clearLabelOf(line)?.label;
}

/** The label that the beginning of a line is, before its value. @param count how many letters it has. */
export function labelBefore(scores: LineScores, count: number): KnownText | undefined {
  const likely = likeliestOf(scores, count, LABEL_WORDS);
  return likely === undefined || !isClear(likely) || likely.less < LIKE_LABEL ? undefined : likely.known;
}

/**
 * Labels of lines of a page that look like several ones, the likeliest first: a title block asks for a field once, so
 * they ask for what no clear label of the page asks for.
 */
export function labelsLeft<Line extends LabelledLine>(lines: readonly Line[]): ReadonlyMap<Line, string> {
  const found = new Map<Line, string>();
  const clear = new Map(lines.map((line) => [line, clearLabelOf(line)]));
  const asked = new Set([...clear.values()].flatMap((known) => known?.name ?? []));
  if (asked.size < FEW_LABELS) return found;
  asked.delete('');
  const unclear = lines.filter(
    (line) => clear.get(line) === undefined && line.count >= FEW_LETTERS && line.whole.confidence < UNSURE,
  );
  for (;;) {
    const left = LABEL_WORDS.filter(({ name }) => !asked.has(name));
    let best: { readonly line: Line; readonly likely: LikelyText } | undefined;
    for (const line of unclear) {
      if (found.has(line)) continue;
      const likely = likeliestOf(line.whole.scores, line.count, left);
      if (likely === undefined || likely.known.name === '' || hasValue(line.whole.text, likely.known)) continue;
      if (likely.less < LIKE_LEFT || likely.less - likely.other < LIKELIER) continue;
      if (best === undefined || likely.less > best.likely.less) best = { line, likely };
    }
    if (best === undefined) return found;
    found.set(best.line, best.likely.known.label);
    asked.add(best.likely.known.name);
  }
}

function clearLabelOf({ whole: { text, scores, confidence }, count }: LabelledLine): KnownText | undefined {
  const likely = likeliestOf(scores, count, LABEL_WORDS);
  if (likely === undefined || !isClear(likely) || hasValue(text, likely.known)) return undefined;
  return likely.less > (confidence < UNSURE ? FAINT_LABEL : LIKE_LABEL) ? likely.known : undefined;
}

/** Whether a line has more than a label: its value. */
function hasValue(text: string, { letters }: KnownText): boolean {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length - letters.length > 1 || /:\s*[\p{L}\p{N}]/u.test(text);
}

/** Whether a label is likelier than any of another meaning. */
function isClear({ less, other, known: { letters } }: LikelyText): boolean {
  if (less - other >= CLEARLY) return true;
  return letters.length >= LONG_LABEL && less > NEAR_LABEL && (less - other) * letters.length > CLEARLY_IN_ALL;
}
