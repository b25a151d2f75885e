import type { RowSet } from './row-set.js';

/**
 * Rows with equal vectors, which the graph holds as one node under their smallest label. A library holds many copies of
 * a part; as separate nodes they would link only to each other, and a search that enters the cluster could not leave
 * it: beside 600 copies of one part the graph found 3 of the 10 nearest.
 */
export class Twins {
  /** u32[any], rising: one label for every distinct vector. */
  readonly nodes: Uint32Array;
  /**
   * For labels that share a vector: the node of each label, and the labels of each node. Other labels are in neither
   * map.
   */
  readonly #nodeOf = new Map<number, number>();
  readonly #members = new Map<number, number[]>();

  /** Treats rows with equal hashes as rows with equal vectors. */
  constructor({ labels, hashes }: RowSet) {
    const first = new Map<bigint, number>();
    const nodes: number[] = [];
    for (let i = 0; i < labels.length; i++) {
      const node = first.get(hashes[i]);
      if (node === undefined) {
        first.set(hashes[i], labels[i]);
        nodes.push(labels[i]);
      } else {
        this.#join(node, labels[i]);
      }
    }
    this.nodes = Uint32Array.from(nodes);
  }

  /** The labels of a node. */
  of(node: number): readonly number[] {
    return this.#members.get(node) ?? [node];
  }

  /** Removes a label; returns its node when that has no labels left. */
  remove(label: number): number | undefined {
    const node = this.#nodeOf.get(label);
    if (node === undefined) return label;
    const members = this.#members.get(node)!.filter((member) => member !== label);
    this.#members.set(node, members);
    return members.length === 0 ? node : undefined;
  }

  #join(node: number, label: number): void {
    const members = this.#members.get(node);
    if (members === undefined) {
      this.#members.set(node, [node, label]);
      this.#nodeOf.set(node, node);
    } else {
      members.push(label);
    }
    this.#nodeOf.set(label, node);
  }
}
