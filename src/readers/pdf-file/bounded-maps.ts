import { limitExceeded } from '../../errors.js';
import { otherPdfjs } from './other-pdfjs.js';

/** A map from codes to characters or glyphs of a font, as pdfjs builds it (`CMap`). */
interface CodeMap {
  mapOne(code: number, target: unknown): void;
  mapCidRange(low: number, high: number, target: number): void;
  mapBfRange(low: number, high: number, target: string): void;
  mapBfRangeToArray(low: number, high: number, targets: readonly unknown[]): void;
  /** Whether it comes from the package, not from the file. */
  readonly builtInCMap: boolean;
  [CODES]?: number;
}
/** How many codes were written into a map. */
const CODES = Symbol('codes');
const METHODS = ['mapOne', 'mapCidRange', 'mapBfRange', 'mapBfRangeToArray'] as const;

/** What a constructor of pdfjs gives to maps, and to nothing else. */
const MARK = 'builtInCMap';

/**
 * Most codes that the maps of a file may cover, and those of one map; the largest real ones cover 65,536 each. A code
 * takes pdfjs .6 microseconds and 80 bytes, one of 4 bytes 3 microseconds and 250 bytes.
 */
const MOST_CODES = 20_000_000,
  MOST_CODES_OF_MAP = 500_000;

/** pdfjs refuses longer ranges. */
const LONGEST_RANGE = 2 ** 24;

/** A target of a range is copied for each of its codes; so a longer one counts as several codes. Ligatures take 6. */
const TARGET_LENGTH = 64;

/** What pdfjs wrote, or was to write, since {@link beginMaps}: in all maps, and in the largest. */
let codes = 0,
  codesOfMap = 0;
let isBounded = false;

/**
 * Bounds the maps of fonts (CMaps) that pdfjs builds, by replacing methods of a class that it does not export. A range
 * of 16 million codes is 20 bytes, and pdfjs writes each code down: twenty such ranges took a minute and 1.3 GiB.
 * Counted is what pdfjs has read, so no spelling of a range and no encryption hides it. What is too much is left out,
 * and {@link checkMaps} tells.
 * @param interpret has pdfjs read a page with a font that has a map.
 * @throws EngineError `PACKAGE_MISSING` where the class is not met.
 */
export async function boundMaps(interpret: () => Promise<void>): Promise<void> {
  if (isBounded) return interpret();
  // Setting a property of a new object calls a setter that it inherits: so the first map is met.
  Object.defineProperty(Object.prototype, MARK, {
    configurable: true,
    set(this: object, value: unknown) {
      Object.defineProperty(this, MARK, { value, configurable: true, enumerable: true, writable: true });
      if (!isBounded) bound(Object.getPrototypeOf(this) as CodeMap);
    },
  });
  try {
    await interpret();
  } finally {
    Reflect.deleteProperty(Object.prototype, MARK);
  }
  if (!isBounded) throw otherPdfjs('the class of its maps of fonts was not met');
}

function bound(shared: CodeMap): void {
  if (!METHODS.every((name) => Object.hasOwn(shared, name))) return;
  const { mapOne, mapCidRange, mapBfRange, mapBfRangeToArray } = shared;
  shared.mapOne = function bounded(code, target) {
    if (mayWrite(this, 1)) mapOne.call(this, code, target);
  };
  shared.mapCidRange = function bounded(low, high, target) {
    if (mayWrite(this, high - low + 1)) mapCidRange.call(this, low, high, target);
  };
  shared.mapBfRange = function bounded(low, high, target) {
    const copies = Math.max(1, Math.ceil(target.length / TARGET_LENGTH));
    if (mayWrite(this, high - low + 1, copies)) mapBfRange.call(this, low, high, target);
  };
  shared.mapBfRangeToArray = function bounded(low, high, targets) {
    if (mayWrite(this, Math.min(high - low + 1, targets.length))) mapBfRangeToArray.call(this, low, high, targets);
  };
  isBounded = true;
}

/** Counts codes of a map, each so many times, and says whether they are within the bounds. */
function mayWrite(map: CodeMap, length: number, times = 1): boolean {
  if (map.builtInCMap || length <= 0 || length > LONGEST_RANGE) return true;
  const count = length * times;
  const own = (map[CODES] ?? 0) + count;
  map[CODES] = own;
  codes += count;
  codesOfMap = Math.max(codesOfMap, own);
  return own <= MOST_CODES_OF_MAP && codes <= MOST_CODES;
}

/** Begins the counts of {@link checkMaps} for a file: pdfjs keeps its maps until it is closed. */
export function beginMaps(): void {
  codes = codesOfMap = 0;
}

/**
 * @throws EngineError `LIMIT_EXCEEDED` for more than {@link MOST_CODES_OF_MAP} in a map, or {@link MOST_CODES} in all.
 */
export function checkMaps(): void {
  const limit = 'the number of codes that its map covers';
  if (codesOfMap > MOST_CODES_OF_MAP) throw limitExceeded('a font of the PDF', limit, MOST_CODES_OF_MAP, codesOfMap);
  if (codes > MOST_CODES) throw limitExceeded('the fonts of the PDF', limit, MOST_CODES, codes);
}
