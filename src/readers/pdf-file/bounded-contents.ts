import { checkLimit, limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkMaps } from './bounded-maps.js';
import { otherPdfjs } from './other-pdfjs.js';

/** A graphics state of pdfjs while it interprets text (`TextState`) or operators (`EvalState`). */
interface State {
  clone(options?: { readonly newPath?: boolean }): State;
  /** Of text only. */
  textMatrix?: number[];
  textLineMatrix?: number[];
  fontMatrix?: number[];
  /** Of operators only. */
  pathBuffer?: number[];
  pathMinMax?: Float32Array;
}
const CHANGED_IN_PLACE = ['textMatrix', 'textLineMatrix', 'fontMatrix'] as const;

/** What interprets contents (`PartialEvaluator`): a page's, and again those of forms, patterns and glyphs in it. */
interface Evaluator {
  getOperatorList: Interpret;
  getTextContent: Interpret;
  /** In how many contents the one that it interprets stands; also in what it makes of itself for a font. */
  [DEPTH]?: number;
}
type Interpret = (this: Evaluator, content: object) => Promise<unknown>;
const DEPTH = Symbol('depth');

/**
 * Most contents of a page: forms, patterns, glyphs, annotations, each time they are drawn. A million took 72 s, 2.3
 * GiB.
 */
const MOST_CONTENTS = 100_000;

/** How many states each was saved in. */
const depths = new WeakMap<State, number>();
/** The prototypes that were met; a second try, after one that failed, goes on from here. */
const bounded = new Set<object>();

/** What may be reached. */
let mostStates = Infinity,
  mostDepth = Infinity;
/** What was asked for since {@link beginContents}. */
let states = 0,
  depth = 0,
  contents = 0;

/**
 * Bounds what pdfjs interprets, by replacing methods of classes that it does not export; they are met where `interpret`
 * has it derive objects from theirs. It sees all streams of a page, encrypted or not, so nothing can be hidden from it.
 *
 * - Graphics states, copied for each `q` and each form: copies of pdfjs are prototypes of each other, so that 20,000 of
 *   them (40 kB) take 40 s. Ours are not, and beyond the most that are allowed no copy is made.
 * - Contents in contents: pdfjs stops at a form in itself, but not at a pattern.
 *
 * What is too much is left out, and {@link checkContents} tells.
 * @param interpret has pdfjs list the operators and read the text of a page that saves a state and has a Type3 font.
 * @throws EngineError `PACKAGE_MISSING` where a class is not met.
 */
export async function boundContents(interpret: () => Promise<void>): Promise<void> {
  const { create } = Object;
  Object.create = (prototype: object | null, properties?: PropertyDescriptorMap & ThisType<unknown>): object => {
    const shared: unknown = prototype === null ? undefined : Object.getPrototypeOf(prototype);
    if (prototype !== null && isObject(shared) && !bounded.has(shared)) {
      const isState = Object.hasOwn(prototype, 'ctm'),
        isEvaluator = Object.hasOwn(shared, 'getTextContent') && Object.hasOwn(shared, 'getOperatorList');
      if (isState) boundStates(shared as State);
      if (isEvaluator) boundEvaluator(shared as Evaluator);
      if (isState || isEvaluator) bounded.add(shared);
    }
    return (properties === undefined ? create(prototype) : create(prototype, properties)) as object;
  };
  try {
    await interpret();
  } finally {
    Object.create = create;
  }
  if (bounded.size !== 3) throw otherPdfjs(`${bounded.size} classes of its interpreter were met instead of 3`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function boundStates(shared: State): void {
  shared.clone = function clone({ newPath = false } = {}) {
    // Only a form begins a new path, and pdfjs has saved the state before it.
    const saved = (depths.get(this) ?? 0) + (newPath ? 0 : 1);
    states = Math.max(states, saved);
    // Nothing is read of such a page, so the next states may as well be one.
    if (saved > mostStates) return this;
    const copy = Object.assign(Object.create(shared) as State, this);
    for (const name of CHANGED_IN_PLACE) copy[name] &&= copy[name].slice();
    if (newPath) {
      copy.pathBuffer = [];
      copy.pathMinMax = new Float32Array([Infinity, Infinity, -Infinity, -Infinity]);
    }
    depths.set(copy, saved);
    return copy;
  };
}

function boundEvaluator(shared: Evaluator): void {
  for (const name of ['getOperatorList', 'getTextContent'] as const) {
    const interpret = shared[name];
    shared[name] = function bounded(content) {
      const own = (this[DEPTH] ?? 0) + 1;
      depth = Math.max(depth, own);
      if (++contents > MOST_CONTENTS || own > mostDepth) return Promise.resolve();
      const inner = Object.create(this) as Evaluator;
      inner[DEPTH] = own;
      return interpret.call(inner, content);
    };
  }
}

/** Begins the counts of {@link checkContents} for a page. A process reads one file at a time, so there is one count. */
export function beginContents(limits: Limits): void {
  mostStates = limits.savedStates;
  // The page's own content is not in another.
  mostDepth = limits.depth + 1;
  states = depth = contents = 0;
}

/**
 * @throws EngineError `LIMIT_EXCEEDED` where what was interpreted of a page saves more states in each other than
 * `limits.savedStates`, has contents nested deeper than `limits.depth`, or more than {@link MOST_CONTENTS}; and where
 * the maps of fonts read so far pass {@link checkMaps}.
 */
export function checkContents(page: string, limits: Limits): void {
  checkLimit(page, limits, 'savedStates', states);
  checkLimit(`the nesting of forms and patterns of ${page}`, limits, 'depth', depth - 1);
  checkMaps();
  if (contents > MOST_CONTENTS)
    throw limitExceeded(page, 'the number of forms, patterns and glyphs that are drawn', MOST_CONTENTS, contents);
}
