import type { Drawing } from '../content/drawing.js';
import { MILLIMETRES } from '../content/units.js';

/** Largest number of lengths kept of a drawing. A sheet with more is usually a table of variants. */
const MOST_LENGTHS = 256;
/** Plausible lengths of a part, mm. */
const LEAST_MM = 0.05;
const MOST_MM = 100_000;
/** Largest difference, as a share, between what a dimension measures and what is written of it. */
const MOST_ROUNDED = 0.05;

/**
 * A separate number: a sign of size or a count may precede it and a unit or tolerance follow, but it is not part of a
 * word, date or name.
 */
const NUMBER =
  /(?<![\p{L}\d.,:/-])(?:\d{1,3}\s?[xX×]\s?)?[ØøⲪ⌀∅RM]?\s?(\d{1,5}(?:[.,]\d{1,4})?|[.,]\d{1,4})(?=$|["”″]|\s|mm\b|[hHfFgGjJkK]\d|[±+)\]])(?!\s?°)/gu;

/** What states lengths: of a drawing, or of a picture, which has no sheets. */
export interface Stating extends Pick<Drawing, 'sheets'> {
  readonly pages: readonly { readonly text: string }[];
}

/**
 * Lengths that a drawing states, mm, descending, without repeats, at most 256: those of its dimension entities and the
 * numbers in its texts. Numbers without a unit are millimetres; in a drawing that mentions inches they are taken in
 * both units.
 */
export function statedLengths({ sheets, pages }: Stating): number[] {
  const lengths = new Set<number>();
  const keep = (value: number): void => {
    if (value >= LEAST_MM && value <= MOST_MM && lengths.size < 16 * MOST_LENGTHS)
      lengths.add(Number(value.toPrecision(6)));
  };
  const inches = pages.some(({ text }) => /\binch(?:es)?\b|\bIN\.|\d\s?["”″]/u.test(text));
  for (const { annotations, unitMm, space } of sheets) {
    for (const { dimension, text } of annotations) {
      if (dimension === undefined || dimension.type === 'angular') continue;
      const { measurement } = dimension;
      if (saysOther(text, measurement)) continue;
      keep(measurement * (space === 'model' ? (unitMm ?? 1) : 1));
      if (inches) keep(measurement * MILLIMETRES.in);
    }
  }
  for (const { text } of pages) {
    for (const [, digits] of text.matchAll(NUMBER)) {
      const value = Number(digits.replace(',', '.'));
      keep(value);
      if (inches) keep(value * MILLIMETRES.in);
    }
  }
  return [...lengths].sort((a, b) => b - a).slice(0, MOST_LENGTHS);
}

/** Whether the text of a dimension states other lengths than it measures: of a part that is not drawn in its size. */
function saysOther(text: string, measurement: number): boolean {
  const said = Array.from(text.matchAll(NUMBER), ([, digits]) => Number(digits.replace(',', '.')));
  const isMeasured = (value: number): boolean =>
    [1, MILLIMETRES.in, 1 / MILLIMETRES.in].some(
      (unit) => Math.abs(value * unit - measurement) <= MOST_ROUNDED * measurement,
    );
  return said.length > 0 && !said.some(isMeasured);
}
