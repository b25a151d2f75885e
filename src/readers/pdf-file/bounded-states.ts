import { checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';

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

/** How many states each was saved in. */
const depths = new WeakMap<State, number>();
/** Most states that are kept in each other, and the most that pages asked for since {@link beginStates}. */
let most = Infinity,
  deepest = 0;

/**
 * Replaces how pdfjs copies a graphics state, which it does for each `q` and each form. Its copies are prototypes of each
 * other, so that 20,000 of them (40 kB) take 40 s; ours are not, and beyond the most that are allowed no copy is made:
 * {@link checkStates} then tells. It sees what pdfjs interprets, so it counts across the streams of a page, in encrypted
 * files and through forms. The classes are not exported: they are met where `interpret` has them copy a state.
 * @param interpret has pdfjs list the operators and read the text of a page that saves a state.
 */
export async function boundStates(interpret: () => Promise<void>): Promise<void> {
  const bounded = new Set<object>();
  const { create } = Object;
  Object.create = (prototype: object | null, properties?: PropertyDescriptorMap & ThisType<unknown>): object => {
    if (prototype !== null && Object.hasOwn(prototype, 'ctm')) {
      const shared = Object.getPrototypeOf(prototype) as State;
      if (!bounded.has(shared)) bound(shared);
      bounded.add(shared);
    }
    return (properties === undefined ? create(prototype) : create(prototype, properties)) as object;
  };
  try {
    await interpret();
  } finally {
    Object.create = create;
  }
  if (bounded.size !== 2)
    throw new Error(`${bounded.size} classes of graphics states were found in pdfjs instead of 2`);
}

function bound(shared: State): void {
  shared.clone = function clone({ newPath = false } = {}) {
    // Only a form begins a new path, and pdfjs has saved the state before it.
    const depth = (depths.get(this) ?? 0) + (newPath ? 0 : 1);
    deepest = Math.max(deepest, depth);
    // Nothing is read of such a page, so the next states may as well be one.
    if (depth > most) return this;
    const copy = Object.assign(Object.create(shared) as State, this);
    for (const name of CHANGED_IN_PLACE) copy[name] &&= copy[name].slice();
    if (newPath) {
      copy.pathBuffer = [];
      copy.pathMinMax = new Float32Array([Infinity, Infinity, -Infinity, -Infinity]);
    }
    depths.set(copy, depth);
    return copy;
  };
}

/** Begins the count of {@link checkStates}. A process reads one file at a time, so there is one count. */
export function beginStates({ savedStates }: Limits): void {
  most = savedStates;
  deepest = 0;
}

/** @throws EngineError `LIMIT_EXCEEDED` where what was interpreted saves more states in each other than `limits.savedStates`. */
export function checkStates(what: string, limits: Limits): void {
  checkLimit(what, limits, 'savedStates', deepest);
}
