import { checkLimit, EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import { IgesFile, numberAt, type IgesEntity } from './entities.js';

/** Entity types: the definition of a subfigure, an instance of one, and arrays of an entity. */
const DEFINITION = 308,
  INSTANCE = 408,
  RECTANGULAR = 412,
  CIRCULAR = 414;

/**
 * Counts how often the file places its subfigures, those inside others at each of their places: some lines can say
 * 2^30, and the kernel would build each. What cannot be parsed counts nothing; the kernel says whether it matters.
 * @throws EngineError `LIMIT_EXCEEDED` for more than `limits.components`, or for more entities than `limits.entities`.
 */
export function checkIgesInstances(bytes: Uint8Array, limits: Limits): void {
  if (!mayRepeat(bytes)) return;
  const file = readable(() => new IgesFile(bytes, limits.entities));
  if (file === undefined) return;
  const counted = new Counter(file, limits);
  let total = 0;
  for (const sequence of file.sequences) {
    if (!REPEATS.has(readable(() => file.typeOf(sequence)) ?? 0)) continue;
    total = Math.max(total + (counted.isFree(sequence) ? counted.placesOf(sequence) : 0), counted.placesOf(sequence));
    checkLimit('the IGES file', limits, 'components', total);
  }
}

const REPEATS: ReadonlySet<number> = new Set([INSTANCE, RECTANGULAR, CIRCULAR]);

/** Whether a directory entry may begin with such a type: most files have none, and need not be parsed. */
function mayRepeat(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [...REPEATS].some((type) => file.includes(`     ${type}`));
}

class Counter {
  readonly #file: IgesFile;
  readonly #limits: Limits;
  /** Places by sequence number; 0 while an entity is being counted, so that one inside itself counts once. */
  readonly #places = new Map<number, number>();

  constructor(file: IgesFile, limits: Limits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Whether the entity stands by itself: no other one owns it. */
  isFree(sequence: number): boolean {
    return readable(() => this.#file.entity(sequence).status.slice(2, 4)) === '00';
  }

  /** How many subfigures an entity places. @throws EngineError `LIMIT_EXCEEDED` for nesting beyond `limits.depth`. */
  placesOf(sequence: number, depth = 1): number {
    const known = this.#places.get(sequence);
    if (known !== undefined) return known;
    this.#places.set(sequence, 0);
    checkLimit('the subfigures of the IGES file', this.#limits, 'depth', depth);
    const entity = readable(() => this.#file.entity(sequence));
    const places = entity === undefined ? 0 : this.#count(entity, depth);
    this.#places.set(sequence, places);
    return places;
  }

  #count(entity: IgesEntity, depth: number): number {
    const number = (index: number): number => Math.abs(readable(() => numberAt(entity, index)) ?? 0);
    const inside = (index: number): number => this.placesOf(number(index), depth + 1);
    switch (entity.type) {
      case INSTANCE:
        return 1 + inside(0);
      case RECTANGULAR:
        return number(5) * number(6) * (1 + inside(0));
      case CIRCULAR:
        return number(1) * (1 + inside(0));
      case DEFINITION: {
        let sum = 0;
        const last = Math.min(entity.parameters.length, 3 + number(2));
        for (let index = 3; index < last; index++) sum += inside(index);
        return sum;
      }
      default:
        return 0;
    }
  }
}

/** Undefined for what is damaged. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'FILE_MALFORMED') return undefined;
    throw cause;
  }
}
