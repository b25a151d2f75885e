import type { RowSet } from './row-set.js';

/**
 * Rows of one vector, standing in the graph as one node under their smallest label. A library holds many copies of a part;
 * each as a node of its own they link to each other only, and a search that comes among them finds no way out: beside 600
 * copies of one part the graph found 3 of the 10 nearest.
 */
export class Twins {
  /** u32[any], rising: one label for every distinct vector. */
  readonly nodes: Uint32Array;
  /** The node of every label that is not alone, and that node's labels. Those alone are in neither. */
  readonly #nodeOf = new Map<number, number>();
  readonly #members = new Map<number, number[]>();

  /** Equal hashes are taken for equal vectors. */
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

  /** The labels that a node stands for. */
  of(node: number): readonly number[] {
    return this.#members.get(node) ?? [node];
  }

  /** Takes a label out; returns the node that stands for nothing any more, if that is so. */
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
