/**
 * What a library must hold after calls of which some were acknowledged, some refused and some never answered.
 *
 * Files, search inputs and facts (settings, categories, users …) are subjects with a name. Each has the list of states
 * in which it may be: one state after an acknowledged call, two or more after a call that was refused or not answered,
 * because that may have happened or not, but never by halves. Calls on one subject come one after the other.
 *
 * A state of a file is undefined (not there) or `{ path, sha256, attributes }`; of a search input undefined or
 * `{ sha256 }`; of a fact undefined or any value of JSON.
 */
import { isDeepStrictEqual } from 'node:util';
import { contentOf, sha256 } from './contents.mjs';

export class Expected {
  /** Name of each subject -> its possible states. */
  #states = new Map();
  /** Path in the library -> name of the file that may lie there. */
  #owners = new Map();
  /** Calls that have begun and not ended: name -> states before, states after. */
  #open = new Map();
  #count = { begun: 0, acknowledged: 0, refused: 0 };

  /** Number of calls: begun, acknowledged, refused. */
  get count() {
    return { ...this.#count };
  }

  /** One that expects the same and goes its own way, with its count from 0. */
  copy() {
    const own = new Expected();
    own.#states = new Map(this.#states);
    own.#owners = new Map(this.#owners);
    return own;
  }

  /** Names of the subjects that begin with `prefix` and are surely there. */
  present(prefix = '') {
    return [...this.#states].flatMap(([name, states]) =>
      name.startsWith(prefix) && !this.#open.has(name) && states.every((state) => state !== undefined) ? [name] : [],
    );
  }

  /** Names of all subjects that begin with `prefix`, there or not. */
  named(prefix) {
    return [...this.#states.keys()].filter((name) => name.startsWith(prefix));
  }

  /** The name of the file that may lie at a path. */
  ownerOf(path) {
    return this.#owners.get(path) ?? path;
  }

  /** The state of a subject of which only one is possible. */
  stateOf(name) {
    const states = this.#states.get(name) ?? [undefined];
    return states.length === 1 ? states[0] : undefined;
  }

  /**
   * A call begins.
   * @param {{ name: string, call: 'put' | 'attributes' | 'rename' | 'delete' | 'input' | 'fact', path?: string,
   *   kind?: string, number?: number, attributes?: string[], value?: unknown }} call
   */
  begin(call) {
    if (this.#open.has(call.name)) throw new Error(`two calls on ${call.name} at once`);
    this.#count.begun++;
    if (call.path !== undefined) this.#owners.set(call.path, call.name);
    const before = this.#states.get(call.name) ?? [undefined];
    const after = distinct(before.map((state) => applied(state, call)));
    this.#open.set(call.name, after);
    this.#states.set(call.name, distinct([...before, ...after]));
  }

  /** The call on this subject was acknowledged. */
  acknowledge(name) {
    this.#count.acknowledged++;
    this.#states.set(name, this.#open.get(name));
    this.#open.delete(name);
  }

  /** The call on this subject was refused: it may have happened all the same, but then whole. */
  refuse(name) {
    this.#count.refused++;
    this.#open.delete(name);
  }

  /** The process ended: what was not answered stays open to both. */
  interrupt() {
    this.#open.clear();
  }

  /**
   * Compares with what a library holds, and takes that as the only state from now on.
   * @param {{ files: { path: string, sha256: string, found: string, attributes: string[] }[],
   *   inputs: Record<string, string | undefined>, facts: Record<string, unknown> }} held `found`: hash of the bytes as
   *   read; `inputs`: hash of each search input by name; `facts`: the facts by name.
   * @returns {{ kind: 'lost' | 'ghost' | 'wrong', what: string }[]}
   */
  compare({ files, inputs, facts }) {
    const findings = [];
    const seen = new Map();
    for (const { path, sha256: stored, found, attributes } of files) {
      const name = this.#owners.get(path);
      if (found !== stored) findings.push({ kind: 'wrong', what: `${path} has other bytes than its record says` });
      if (name === undefined) findings.push({ kind: 'ghost', what: `${path} was never put` });
      else if (seen.has(name)) findings.push({ kind: 'ghost', what: `${path} is there beside ${seen.get(name).path}` });
      else seen.set(name, { path, sha256: stored, attributes: attributes.toSorted() });
    }
    for (const [name, hash] of Object.entries(inputs)) if (hash !== undefined) seen.set(name, { sha256: hash });
    for (const [name, value] of Object.entries(facts)) if (value !== undefined) seen.set(name, value);
    for (const name of new Set([...this.#states.keys(), ...seen.keys()])) {
      const states = this.#states.get(name) ?? [undefined];
      const held = seen.get(name);
      if (!states.some((state) => isDeepStrictEqual(state, held))) findings.push(difference(name, held, states));
      this.#states.set(name, [held]);
    }
    return findings;
  }
}

function difference(name, held, states) {
  const allowed = `allowed: ${states.map((state) => JSON.stringify(state) ?? 'not there').join(' or ')}`;
  if (held === undefined) return { kind: 'lost', what: `${name} is not there; ${allowed}` };
  const kind = states.every((state) => state === undefined) ? 'ghost' : 'wrong';
  return { kind, what: `${name} is ${JSON.stringify(held)}; ${allowed}` };
}

function applied(state, { call, path, kind, number, attributes, value }) {
  if (call === 'delete') return undefined;
  if (call === 'fact') return value;
  if (call === 'input') return { sha256: sha256(contentOf(kind, number)) };
  if (call === 'put') {
    const given = (attributes ?? state?.attributes ?? []).toSorted();
    return { path, sha256: sha256(contentOf(kind, number)), attributes: given };
  }
  // On a file that is not there these change nothing.
  if (state === undefined) return undefined;
  return call === 'rename' ? { ...state, path } : { ...state, attributes: attributes.toSorted() };
}

function distinct(states) {
  return states.filter((state, i) => states.findIndex((other) => isDeepStrictEqual(other, state)) === i);
}
