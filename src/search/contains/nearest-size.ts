import type { PartFace } from '../../descriptors/faces/part-face.js';

/** Faces of one kind in the order of their areas. */
export class FacesBySize {
  readonly #faces: readonly PartFace[];
  /** Positions by area, then by number; their areas, mm². */
  readonly #positions: Uint32Array;
  readonly #areas: Float64Array;

  /** positions: of faces of one kind. */
  constructor(faces: readonly PartFace[], positions: readonly number[]) {
    this.#faces = faces;
    this.#positions = Uint32Array.from(positions).sort((a, b) => faces[a].areaMm2 - faces[b].areaMm2 || a - b);
    this.#areas = Float64Array.from(this.#positions, (i) => faces[i].areaMm2);
  }

  /**
   * Positions of the faces of at least `leastMm2` that are like a given one, those nearest to its area first, then by
   * position. Walks both ways from that area: sorting anew for each face of a query took a fifth of a search.
   */
  nearest(areaMm2: number, leastMm2: number, isLike: (face: PartFace) => boolean): number[] {
    const areas = this.#areas,
      found: number[] = [];
    let above = 0;
    for (let end = areas.length; above < end; ) {
      const middle = (above + end) >> 1;
      if (areas[middle] < areaMm2) above = middle + 1;
      else end = middle;
    }
    let below = above - 1;
    for (;;) {
      const hasBelow = below >= 0 && areas[below] >= leastMm2;
      const hasAbove = above < areas.length;
      if (!hasBelow && !hasAbove) return found;
      const down = hasBelow ? areaMm2 - areas[below] : Infinity,
        up = hasAbove ? areas[above] - areaMm2 : Infinity;
      const off = Math.min(down, up);
      const first = found.length;
      for (; below >= 0 && areas[below] >= leastMm2 && areaMm2 - areas[below] === off; below--)
        this.#add(below, isLike, found);
      const both = found.length > first;
      for (; above < areas.length && areas[above] - areaMm2 === off; above++) this.#add(above, isLike, found);
      // Those below come in falling order.
      if (both && found.length > first + 1) {
        const equal = found.splice(first).sort((a, b) => a - b);
        for (const i of equal) found.push(i);
      }
    }
  }

  #add(at: number, isLike: (face: PartFace) => boolean, found: number[]): void {
    const position = this.#positions[at];
    if (isLike(this.#faces[position])) found.push(position);
  }
}
