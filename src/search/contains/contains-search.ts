import { decodeFaces } from '../../descriptors/faces/encode-faces.js';
import { decodeWords, type WordChoices } from '../../descriptors/faces/face-words.js';
import { pagesOf } from '../../store/pages.js';
import type { ShapeDoor } from '../../store/catalogue.js';
import type { ContainedShape } from './contained-shape.js';
import { KindsFitter } from './fit-kinds.js';
import { COMPLETE, ShapeFitter } from './fit-shape.js';
import { placedShape, type PlacedShape } from './placed-shape.js';
import { matrixOf } from './pose.js';

/** A file that holds a shape. */
export interface ContainsHit {
  readonly fileId: number;
  readonly uid: string;
  /**
   * 1 - coverage, from 0; with any sizes up to a tenth more for other faces around. Up to a thousandth more for how much
   * larger the file is, so that of two that hold the shape the smaller one comes first.
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
 * Candidates whose faces are compared: three for each wanted hit, within these bounds; those that have less than a share
 * of what the best has in common with the query are left out.
 */
const LEAST_CANDIDATES = 64;
const MOST_CANDIDATES = 1_000;
const LEAST_SHARE = 0.25;
/** Candidates read at a time. */
const BLOCK = 16;
/** Hits that are also compared with the mirror image of the shape. */
const MOST_MIRRORED = 16;
/** What faces around a found feature count beside the feature. */
const AROUND = 0.1;

/** Most occurrences of a hit whose faces are told. */
const MOST_PLACES = 100;
/** What a larger host counts. */
const LARGER = 1e-3;

interface FileWords {
  readonly uid: string;
  readonly words: Uint32Array;
}

/**
 * Finds the files of a company that hold a shape: by words of its faces (see `face-words.ts`), the rarest counting most;
 * then its faces are laid on those of each candidate.
 */
export class ContainsSearch {
  readonly #parts: ContainsParts;
  readonly #files = new Map<number, FileWords>();

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
    this.#files.set(fileId, { uid, words: decodeWords(words) });
  }

  remove(fileId: number): void {
    this.#files.delete(fileId);
  }

  /** All files that were compared and hold the shape, nearest first, ties by UID. */
  async find(shape: ContainedShape, options: ContainsOptions): Promise<ContainsHit[]> {
    const words = options.sizes === 'exact' ? shape.exactWords : shape.kindWords;
    const candidates = this.#candidates(words, options);
    const hits: ContainsHit[] = [];
    const lay = options.sizes === 'exact' ? exactly(shape) : inAnySize(shape);
    for (let i = 0; i < candidates.length; i += BLOCK) {
      const block = candidates.slice(i, i + BLOCK);
      const stored = await this.#parts.shapes.descriptors('faces', block);
      for (const [k, fileId] of block.entries()) {
        await options.turn();
        const bytes = stored[k],
          uid = this.#files.get(fileId)?.uid;
        if (bytes === undefined || uid === undefined) continue; // Deleted meanwhile.
        const found = lay(placedShape(decodeFaces(bytes)));
        if (found !== undefined) hits.push({ fileId, uid, ...found });
      }
    }
    const sorted = hits.sort(inOrder);
    return options.sizes === 'exact' ? this.#withMirrored(shape, sorted, options) : sorted;
  }

  /** Files that share the most telling words with a shape. */
  #candidates(words: readonly WordChoices[], { among, wanted }: ContainsOptions): number[] {
    const numberOf = new Map<number, number[]>();
    words.forEach((choices, i) => {
      for (const word of choices) {
        const numbers = numberOf.get(word);
        if (numbers === undefined) numberOf.set(word, [i]);
        else if (!numbers.includes(i)) numbers.push(i);
      }
    });
    // Nearly all words of files fail this test, which is quicker than looking them up.
    const mayBe = new Uint8Array(0x10000);
    for (const word of numberOf.keys()) mayBe[word & 0xffff] = 1;
    const counts = new Float64Array(words.length);
    const shared: { readonly fileId: number; readonly numbers: ReadonlySet<number> }[] = [];
    const look = (fileId: number): void => {
      const file = this.#files.get(fileId);
      if (file === undefined) return;
      let numbers: Set<number> | undefined;
      for (const word of file.words) {
        if (mayBe[word & 0xffff] === 0) continue;
        for (const number of numberOf.get(word) ?? []) (numbers ??= new Set()).add(number);
      }
      if (numbers === undefined) return;
      for (const number of numbers) counts[number]++;
      shared.push({ fileId, numbers });
    };
    if (among === undefined) for (const fileId of this.#files.keys()) look(fileId);
    else for (const fileId of among) look(fileId);
    const weights = counts.map((count) => Math.log(1 + this.#files.size / (1 + count)));
    const rated = shared.map(({ fileId, numbers }) => {
      let weight = 0;
      for (const number of numbers) weight += weights[number];
      return { fileId, weight };
    });
    rated.sort((a, b) => b.weight - a.weight || a.fileId - b.fileId);
    const least = LEAST_SHARE * (rated[0]?.weight ?? 0);
    const most = Math.min(MOST_CANDIDATES, Math.max(LEAST_CANDIDATES, 3 * wanted));
    return rated
      .slice(0, most)
      .filter(({ weight }) => weight >= least)
      .map(({ fileId }) => fileId);
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
      const fit = bytes && fitter.fit(placedShape(decodeFaces(bytes), { mirrored: true }));
      if (fit !== undefined && fit.coverage > hit.coverage + 0.02) found[i] = { ...hit, mirrored: true };
    }
    return found;
  }
}

type Lay = (host: PlacedShape) => Omit<ContainsHit, 'fileId' | 'uid'> | undefined;

function exactly({ part, toleranceMm }: ContainedShape): Lay {
  const fitter = new ShapeFitter(part, toleranceMm);
  return (host) => {
    const fit = fitter.fit(host);
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
  return (host) => {
    const fit = fitter.fit(host);
    if (fit === undefined) return undefined;
    const { coverage, apart, faces, places } = fit;
    const score = 1 - coverage + AROUND * apart;
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
