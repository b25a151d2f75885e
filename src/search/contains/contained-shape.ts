import { decodeFaces } from '../../descriptors/faces/encode-faces.js';
import { kindWords, queryWords, type QueryWord } from '../../descriptors/faces/face-words.js';
import { EngineError } from '../../errors.js';
import { partOf, placedShape, sizeOf, type PlacedShape } from './placed-shape.js';

/** A shape that is looked for inside others. */
export interface ContainedShape {
  /** The part to which its faces belong. */
  readonly whole: PlacedShape;
  /** Positions of its faces in `whole`. */
  readonly among: readonly number[];
  readonly part: PlacedShape;
  readonly sizeMm: number;
  /** Words in its own sizes, with what they may be within the tolerance; words for any sizes. */
  readonly exactWords: readonly QueryWord[];
  readonly kindWords: readonly QueryWord[];
  readonly toleranceMm: number;
}

/** Whether a shape has words to be found by: flat faces that do not meet and are not beside one face have none. */
export function isTelling({ exactWords, kindWords }: ContainedShape, sizes: 'exact' | 'any'): boolean {
  return (sizes === 'exact' ? exactWords : kindWords).length > 0;
}

/** Default tolerance: a share of the shape's size, and least, mm. */
const TOLERANCE = 1e-3;
const LEAST_TOLERANCE_MM = 0.01;

/**
 * The faces to look for. bytes: the stored faces of a model. numbers: of the faces in its file; undefined: all.
 * @throws EngineError `QUERY_INVALID` for numbers that the model lacks, `NO_GEOMETRY` without faces.
 */
export function containedShape(
  bytes: Uint8Array,
  { faces: numbers, toleranceMm }: { faces: readonly number[] | undefined; toleranceMm: number | undefined },
): ContainedShape {
  const table = decodeFaces(bytes);
  const whole = placedShape(table);
  if (whole.faces.length === 0) throw new EngineError('NO_GEOMETRY', 'the shape to look for has no faces');
  const wanted = numbers === undefined ? undefined : new Set(numbers);
  const found = [...whole.faces.keys()].filter((i) => wanted === undefined || wanted.has(whole.faces[i].number));
  const known = new Set(found.map((i) => whole.faces[i].number));
  const unknown = numbers?.find((number) => !known.has(number));
  if (unknown !== undefined) {
    const most = whole.faces.reduce((largest, { number }) => Math.max(largest, number), -1);
    throw new EngineError(
      'QUERY_INVALID',
      most < 0
        ? 'the faces of this model have no numbers: they could not be matched to those of its file'
        : `the model has no face ${unknown}; its faces have the numbers 0 to ${most}`,
      {
        details: { name: 'faces', allowed: most, found: unknown },
      },
    );
  }
  const part = partOf(whole, found);
  const sizeMm = sizeOf(part.faces);
  const tolerance = toleranceMm ?? Math.max(LEAST_TOLERANCE_MM, TOLERANCE * sizeMm);
  const bodies = table.bodies.map((body) => {
    const among = [...body.faces.keys()].filter((i) => wanted === undefined || wanted.has(body.faces[i].number));
    return { body, among: new Set(among) };
  });
  const kinds = new Set(bodies.flatMap(({ body, among }) => [...kindWords(body, among)]));
  return {
    whole,
    among: found,
    part,
    sizeMm,
    exactWords: queryWords(bodies, tolerance),
    kindWords: [...kinds].map((word) => ({ choices: [word], areaMm2: 0 })),
    toleranceMm: tolerance,
  };
}
