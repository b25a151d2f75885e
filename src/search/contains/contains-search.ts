import { decodeFaces } from '../../descriptors/faces/encode-faces.js';
import { decodeWords, type QueryWord } from '../../descriptors/faces/face-words.js';
import { pagesOf } from '../../store/pages.js';
import type { ShapeDoor } from '../../store/catalogue.js';
import type { ContainedShape } from './contained-shape.js';
import { KindsFitter } from './fit-kinds.js';
import { LEAST_COVERAGE, ShapeFitter } from './fit-shape.js';
import { COMPLETE } from './host-search.js';
import { placedShape, type PlacedShape } from './placed-shape.js';
import { matrixOf } from './pose.js';
import { WordIndex, type WordHit } from './word-index.js';

/** A file that holds a shape. */
export interface ContainsHit {
  readonly fileId: number;
  readonly uid: string;
  /**
   * 1 - coverage, from 0. In its own size up to a thousandth more for how much larger the file is, so that of two that
   * hold the shape the smaller one comes first. In any size up to a tenth more for other faces around, up to a fiftieth
   * for sizes that are not evenly scaled, and up to a thousandth for another size.
   */
  readonly score: number;
  readonly coverage: number;
  /** f64[16], column-major: the shape onto the file, mm. Not with any sizes. */
  readonly transform?: Float64Array;
  /** Numbers of the file's faces, rising; those whose number is unknown are left out. */
  readonly faces: readonly number[];
  readonly occurrences: number;
  /** The same of each occurrence, at most {@link MOST_PLACES}, the best first; absent where there is only one. */
  readonly occurrenceFaces?: readonly (readonly number[])[];
  /** Whether the mirror image of the shape is found, and more of it than of the shape itself. */
  readonly mirrored?: boolean;
}

export interface ContainsOptions {
  readonly sizes: 'exact' | 'any';
  /** Files that may be found, rising; undefined: all. */
  readonly among: Uint32Array | undefined;
  /** Hits that are wanted. */
  readonly wanted: number;
  /** Lets the event loop run; rejects to end the search. */
  readonly turn: () => Promise<void>;
}

/** What one company's search needs. */
export interface ContainsParts {
  readonly shapes: ShapeDoor;
  readonly companyId: number;
}

/**
 * Candidates whose faces are compared: three for each wanted hit, within these bounds; those that have less than a
 * share of what the best has in common with the query are left out.
 */
const LEAST_CANDIDATES = 64;
const MOST_CANDIDATES = 1_000;
const LEAST_SHARE = 0.25;
/** Candidates read at a time. */
const BLOCK = 16;
/** Hits that are also compared with the mirror image of the shape. */
const MOST_MIRRORED = 16;
/** How much more of the mirror image must be found, of its area. */
const MORE = 0.02;
/** What faces around a found feature count beside the feature. */
const AROUND = 0.1;
/** What uneven sizes count, and another size of all; most that the three of any size count together. */
const UNEVEN = 0.02;
const OTHER_SIZE = 1e-3;
const MOST_BESIDE = AROUND + UNEVEN + OTHER_SIZE;

/** Most occurrences of a hit whose faces are told. */
const MOST_PLACES = 100;
/** What a larger host counts. */
const LARGER = 1e-3;

/**
 * Finds the files of a company that hold a shape: by words of its faces (see `face-words.ts`), the rarest counting
 * most; then its faces are laid on those of each candidate.
 */
export class ContainsSearch {
  readonly #parts: ContainsParts;
  readonly #words = new WordIndex();

  private constructor(parts: ContainsParts) {
    this.#parts = parts;
  }

  static async open(parts: ContainsParts): Promise<ContainsSearch> {
    const search = new ContainsSearch(parts);
    for await (const page of pagesOf((fileId) => parts.shapes.faceWordsAfter(parts.companyId, fileId)))
      for (const { fileId, uid, bytes } of page) search.put(fileId, uid, bytes);
    return search;
  }

  /** words: the `faceWords` descriptor. */
  put(fileId: number, uid: string, words: Uint8Array): void {
    this.#words.put(fileId, uid, decodeWords(words));
  }

  remove(fileId: number): void {
    this.#words.remove(fileId);
  }

  /**
   * Files that hold the shape, nearest first, ties by UID: the `wanted` nearest of those compared, and others that were
   * compared before it was known that they are not among these.
   */
  async find(shape: ContainedShape, options: ContainsOptions): Promise<ContainsHit[]> {
    const isExact = options.sizes === 'exact';
    const candidates = this.#candidates(isExact ? shape.exactWords : shape.kindWords, options);
    const hits: ContainsHit[] = [];
    const best = new Least(options.wanted);
    const lay = isExact ? exactly(shape) : inAnySize(shape);
    const mostOf = isExact ? mostCoverage(shape) : () => 1;
    const slack = isExact ? LARGER : MOST_BESIDE;
    for (let i = 0; i < candidates.length; i += BLOCK) {
      const block = candidates.slice(i, i + BLOCK).filter((one) => mostOf(one) >= best.least - slack);
      const ids = block.map(({ fileId }) => fileId);
      const stored = await this.#parts.shapes.descriptors('faces', ids);
      for (const [k, { fileId, uid }] of block.entries()) {
        const bytes = stored[k];
        if (bytes === undefined || mostOf(block[k]) < best.least - slack) continue; // Deleted meanwhile, or too little.
        await options.turn();
        const found = lay(placedShape(decodeFaces(bytes)), best.least - slack);
        if (found === undefined) continue;
        hits.push({ fileId, uid, ...found });
        best.add(found.coverage);
      }
    }
    const sorted = hits.sort(inOrder);
    return isExact ? this.#withMirrored(shape, sorted, options) : sorted;
  }

  /** Files that share the most telling words with a shape. */
  #candidates(words: readonly QueryWord[], { among, wanted }: ContainsOptions): WordHit[] {
    const most = Math.min(MOST_CANDIDATES, Math.max(LEAST_CANDIDATES, 3 * wanted));
    return this.#words.find(words, among, { most, share: LEAST_SHARE });
  }

  /** Hits that are not complete are also compared with the mirror image. */
  async #withMirrored(
    shape: ContainedShape,
    hits: readonly ContainsHit[],
    { turn }: ContainsOptions,
  ): Promise<ContainsHit[]> {
    const fitter = new ShapeFitter(shape.part, shape.toleranceMm);
    const found = [...hits];
    for (const [i, hit] of hits.slice(0, MOST_MIRRORED).entries()) {
      if (hit.coverage >= COMPLETE) continue;
      await turn();
      const [bytes] = await this.#parts.shapes.descriptors('faces', [hit.fileId]);
      const fit = bytes && fitter.fit(placedShape(decodeFaces(bytes), { mirrored: true }), hit.coverage + MORE);
      if (fit !== undefined && fit.coverage > hit.coverage + MORE) found[i] = { ...hit, mirrored: true };
    }
    return found;
  }
}

/** The coverage that a further hit must reach to be among the nearest. */
class Least {
  readonly #wanted: number;
  /** The greatest so far, falling. */
  readonly #coverages: number[] = [];

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  get least(): number {
    return this.#coverages[this.#wanted - 1] ?? LEAST_COVERAGE;
  }

  add(coverage: number): void {
    const at = this.#coverages.findIndex((other) => other < coverage);
    this.#coverages.splice(at < 0 ? this.#coverages.length : at, 0, coverage);
    this.#coverages.length = Math.min(this.#coverages.length, this.#wanted);
  }
}

/** The greatest coverage that a file can have by its words. */
function mostCoverage({ part, exactWords }: ContainedShape): (hit: WordHit) => number {
  const whole = areaOf(part);
  const sure = exactWords.reduce((sum, { areaMm2 }) => sum + areaMm2, 0);
  return ({ areaMm2 }) => 1 - Math.max(0, sure - areaMm2) / whole;
}

type Lay = (host: PlacedShape, leastCoverage: number) => Omit<ContainsHit, 'fileId' | 'uid'> | undefined;

function exactly({ part, toleranceMm }: ContainedShape): Lay {
  const fitter = new ShapeFitter(part, toleranceMm);
  return (host, least) => {
    const fit = fitter.fit(host, least);
    if (fit === undefined) return undefined;
    const { coverage, pose, faces, places } = fit;
    return {
      score: 1 - coverage + LARGER * (1 - Math.min(1, areaOf(part) / areaOf(host))),
      coverage,
      transform: matrixOf(pose),
      faces: numbersOf(host, faces),
      ...placesOf(host, places),
    };
  };
}

function inAnySize({ whole, among }: ContainedShape): Lay {
  const fitter = new KindsFitter(whole, among);
  return (host, least) => {
    const fit = fitter.fit(host, least);
    if (fit === undefined) return undefined;
    const { coverage, apart, uneven, scale, faces, places } = fit;
    const score = 1 - coverage + AROUND * apart + UNEVEN * uneven + OTHER_SIZE * Math.min(1, Math.abs(scale));
    return { score, coverage, faces: numbersOf(host, faces), ...placesOf(host, places) };
  };
}

function placesOf(
  host: PlacedShape,
  places: readonly (readonly number[])[],
): Pick<ContainsHit, 'occurrences' | 'occurrenceFaces'> {
  const occurrences = places.length;
  return occurrences < 2
    ? { occurrences }
    : { occurrences, occurrenceFaces: places.slice(0, MOST_PLACES).map((place) => numbersOf(host, place)) };
}

function areaOf({ faces }: PlacedShape): number {
  return faces.reduce((sum, { areaMm2 }) => sum + areaMm2, 0);
}

function numbersOf(host: PlacedShape, positions: readonly number[]): number[] {
  const numbers = new Set(positions.map((position) => host.faces[position].number));
  return [...numbers].filter((number) => number >= 0).sort((a, b) => a - b);
}

function inOrder(a: ContainsHit, b: ContainsHit): number {
  return a.score - b.score || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0);
}
