import { z } from 'zod';
import { becauseText, type FileRecord, type IndexedComponent, type SearchHit } from '../index.js';
import { MOST_RESULTS, USUAL_RESULTS } from './tool.js';

/** Attributes, warnings and the like that are shown of one file. */
export const MOST_LINES = 40;
/** Characters of a text that others wrote. */
const MOST_CHARACTERS = 300;

/** Which page of the results. */
export const paging = {
  limit: z.int().min(1).max(MOST_RESULTS).default(USUAL_RESULTS).describe('Most results of this page.'),
  offset: z.int().min(0).max(10_000).default(0).describe('Results to skip: nextOffset of the page before.'),
};

/** What every list says about its pages. */
export const paged = {
  total: z.int().describe('All results, on all pages.'),
  nextOffset: z.int().nullable().describe('offset of the next page; null: this is the last one.'),
};

/** The pages' part of an answer that holds `shown` of `total` results. */
export function pageFacts(
  { offset }: { readonly offset: number },
  shown: number,
  total: number,
): { total: number; nextOffset: number | null } {
  const next = offset + shown;
  return { total, nextOffset: shown > 0 && next < total ? next : null };
}

/** One page of a list that is known as a whole. */
export function pageOf<T>(
  all: readonly T[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { readonly rows: readonly T[]; readonly facts: { total: number; nextOffset: number | null } } {
  const rows = all.slice(offset, offset + limit);
  return { rows, facts: pageFacts({ offset }, rows.length, all.length) };
}

export const uid = z.string().describe('UID of the file.');
export const path = z.string().describe('Path in the library.');
export const kind = z.enum(['ThreeD', 'TwoD', 'Image', 'Text']).describe('Model, drawing, image or document.');
export const kinds = z
  .array(kind)
  .min(1)
  .max(4)
  .optional()
  .describe('Only files of these kinds: ThreeD models, TwoD drawings, Image, Text documents.');
export const picture = (byDefault: boolean) =>
  z.boolean().default(byDefault).describe('Whether to add a picture of the answer.');

const sizeMm = z.array(z.number()).length(3).nullable().describe('Edges of the smallest box, falling, mm.');

/** Sizes of a model; null of other files. */
export const sizes = { sizeMm, volumeMm3: z.number().nullable(), areaMm2: z.number().nullable() };

/** The sizes as tools write them. */
export function sizesOf({
  bboxSizeMm,
  volumeMm3,
  surfaceAreaMm2,
}: Pick<FileRecord, 'bboxSizeMm' | 'volumeMm3' | 'surfaceAreaMm2'>): {
  sizeMm: number[] | null;
  volumeMm3: number | null;
  areaMm2: number | null;
} {
  return {
    sizeMm: bboxSizeMm === null ? null : bboxSizeMm.map(exactEnough),
    volumeMm3: volumeMm3 === null ? null : exactEnough(volumeMm3),
    areaMm2: surfaceAreaMm2 === null ? null : exactEnough(surfaceAreaMm2),
  };
}

const Component = z.object({ uid, name: z.string(), occurrences: z.int() });
/** The part of an assembly that an answer is about. */
export const component = Component.nullable().describe(
  'The part of the assembly at this path that is meant; null: the file itself.',
);

/** A component as tools write it. */
export function componentOf(
  one: Pick<IndexedComponent, 'uid' | 'name' | 'occurrences'> | undefined,
): z.input<typeof component> {
  return one === undefined ? null : { uid: one.uid, name: one.name, occurrences: one.occurrences };
}

/** A found file. */
export const Hit = z.object({
  uid,
  path,
  kind,
  similarity: z.number().nullable().describe('0 to 100, 100 is the same shape; null of searches by words.'),
  score: z.number().describe('0 or more, lower is nearer.'),
  matchClass: z
    .string()
    .nullable()
    .describe('identical, mirrored (mirror image), scaled (another size), similar, contains; null by words.'),
  because: z.array(z.string()).describe('Why it was found.'),
  maxDeviationMm: z.number().nullable().describe('Largest distance between the surfaces; null unless the same part.'),
  coverage: z.number().nullable().describe('With contains: share of the wanted shape that it holds, 0 to 1.'),
  occurrences: z.int().nullable().describe('With contains: how often it holds the shape.'),
  faces: z.array(z.int()).describe('With contains: numbers of its first faces on which the shape lies.'),
  ...sizes,
  attributes: z.array(z.string()).describe('name=value or name(unit)=value; the first 40, get_part has all.'),
  found: z.array(z.string()).describe('Where the words stand.'),
  component,
});

/** A hit as tools write it. */
export function hitOf(hit: SearchHit): z.input<typeof Hit> {
  const { uid, path, kind, similarity, score, matchClass, because, component, textHighlights } = hit;
  return {
    uid,
    path,
    kind,
    similarity: similarity === null ? null : round(similarity, 1),
    score: round(score, 4),
    matchClass,
    because: because.map(becauseText),
    maxDeviationMm: exactOrNull(hit.maxDeviationMm),
    coverage: hit.coverage === undefined ? null : round(hit.coverage, 4),
    occurrences: hit.occurrences ?? null,
    faces: (hit.faces ?? []).filter((face) => face >= 0).slice(0, MOST_RESULTS),
    ...sizesOf(hit),
    attributes: shortened(hit.attributes),
    found: shortened(textHighlights.map(({ snippet }) => snippet)).slice(0, 3),
    component: componentOf(component),
  };
}

/** At most {@link MOST_LINES} of them, each cut after some hundred characters. */
export function shortened(lines: readonly string[]): string[] {
  return lines.slice(0, MOST_LINES).map((line) => {
    const text = line.replace(/\s+/g, ' ').trim();
    return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  });
}

/** {@link exactEnough}; null of what is not known. */
export function exactOrNull(value: number | null | undefined): number | null {
  return value === undefined || value === null ? null : exactEnough(value);
}

/** Seven figures: more is noise of floats that a model would pay for. */
export function exactEnough(value: number): number {
  return Number(value.toPrecision(7));
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
