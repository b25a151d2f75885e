/** The module `hnswlib-node`. */
export type Hnswlib = typeof import('hnswlib-node');

let loading: Promise<Hnswlib | undefined> | undefined;
let missing: string | undefined;

/**
 * Loads `hnswlib-node`, an optional dependency, when the first graph is needed. Undefined where it is not installed or
 * its native code does not load on this machine; searches then scan all vectors, and {@link graphWarning} says so. The
 * answer is kept for the life of the thread.
 */
export function loadHnswlib(): Promise<Hnswlib | undefined> {
  return (loading ??= import('hnswlib-node').then(
    (module) => module.default,
    (cause: unknown) => {
      const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
      missing =
        'searches among more vectors than exactLimit scan all of them, because the package hnswlib-node ' +
        `cannot be loaded (${reason}). Install it: npm install hnswlib-node; npm 12 and later build its native ` +
        'module only when that is allowed: npm install-scripts approve hnswlib-node, then: npm rebuild hnswlib-node';
      return undefined;
    },
  ));
}

/** One sentence for the host when a graph was needed and `hnswlib-node` could not be loaded; undefined otherwise. */
export function graphWarning(): string | undefined {
  return missing;
}
