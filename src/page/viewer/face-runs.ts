import type { BufferGeometry } from 'three';

/** Triangles, one after another in the index of a geometry, that belong to one face. */
export interface FaceRun {
  /** Number of the face as `contains.faces` of a search takes it; -1: unknown. */
  readonly number: number;
  readonly first: number;
  readonly count: number;
}

/** Which triangles of a geometry belong to which faces. */
export class FaceRuns {
  readonly all: readonly FaceRun[];

  private constructor(all: readonly FaceRun[]) {
    this.all = all;
  }

  /** Of a geometry of a GLB that the engine wrote (`extras.faces`); undefined if it does not tell. */
  static of({ userData }: BufferGeometry): FaceRuns | undefined {
    const pairs: unknown = userData['faces'];
    if (!Array.isArray(pairs)) return undefined;
    const all: FaceRun[] = [];
    let first = 0;
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const count = Number(pairs[i + 1]);
      all.push({ number: Number(pairs[i]), first, count });
      first += count;
    }
    return new FaceRuns(all);
  }

  /** The face of a triangle. */
  at(triangle: number): number {
    let low = 0,
      high = this.all.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.all[middle].first <= triangle) low = middle;
      else high = middle;
    }
    return this.all[low]?.number ?? -1;
  }

  /**
   * Divides the geometry into groups: those of the lit faces have the material index 1, all others 0. Returns how much
   * of it is lit.
   */
  light(geometry: BufferGeometry, lit: ReadonlySet<number>): 'all' | 'some' | 'none' {
    const groups: { first: number; count: number; isLit: boolean }[] = [];
    for (const { number, first, count } of this.all) {
      const isLit = lit.has(number);
      const last = groups.at(-1);
      if (last?.isLit === isLit) last.count += count;
      else groups.push({ first, count, isLit });
    }
    if (groups.length < 2) return groups[0]?.isLit === true ? 'all' : 'none';
    geometry.clearGroups();
    for (const { first, count, isLit } of groups) geometry.addGroup(3 * first, 3 * count, isLit ? 1 : 0);
    return 'some';
  }
}
