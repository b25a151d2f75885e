import type { Drawing } from '../content/drawing.js';

/** Most lengths kept of a drawing: a sheet with more is a table of variants. */
const MOST_LENGTHS = 256;
/** What a length of a part can be, mm. */
const LEAST_MM = 0.05;
const MOST_MM = 100_000;
const INCH_MM = 25.4;

/** A number that stands by itself: with a sign of size or count before it and a unit or tolerance behind, but no part of a word, date or name. */
const NUMBER =
  /(?<![\p{L}\d.,:/-])(?:\d{1,3}\s?[xX×]\s?)?[ØøⲪ⌀∅RM]?\s?(\d{1,5}(?:[.,]\d{1,4})?|[.,]\d{1,4})(?=$|["”″]|\s|mm\b|[hHfFgGjJkK]\d|[±+)\]])(?!\s?°)/gu;

/**
 * Lengths that a drawing states, mm, falling, each once, at most 256: those of its dimension entities, else the numbers of its texts. Where no
 * unit is said, millimetres; a drawing that speaks of inches gives both readings.
 */
export function statedLengths({ sheets, pages }: Drawing): number[] {
  const lengths = new Set<number>();
  const keep = (value: number): void => {
    if (value >= LEAST_MM && value <= MOST_MM && lengths.size < 16 * MOST_LENGTHS)
      lengths.add(Number(value.toPrecision(6)));
  };
  const inches = pages.some(({ text }) => /\binch(?:es)?\b|\bIN\.|\d\s?["”″]/u.test(text));
  for (const { annotations, unitMm, space } of sheets) {
    for (const { dimension } of annotations) {
      if (dimension === undefined || dimension.type === 'angular') continue;
      keep(dimension.measurement * (space === 'model' ? (unitMm ?? 1) : 1));
      if (inches) keep(dimension.measurement * INCH_MM);
    }
  }
  for (const { text } of pages) {
    for (const [, digits] of text.matchAll(NUMBER)) {
      const value = Number(digits.replace(',', '.'));
      keep(value);
      if (inches) keep(value * INCH_MM);
    }
  }
  return [...lengths].sort((a, b) => b - a).slice(0, MOST_LENGTHS);
}
