/** Types of the reference parts generator, for tests and benches written in TypeScript. */
export interface ReferencePart {
  name: string;
  family: string;
  /** x, y, z of each vertex, millimetres. */
  positions: Float32Array;
  /** Three vertices a triangle, counter-clockwise seen from outside. */
  indices: Uint32Array;
}
export const familyNames: string[];
export function referenceParts(options?: { seed?: number; count?: number }): AsyncGenerator<ReferencePart>;
