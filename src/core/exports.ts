/** What `assembly/index.ts` exports, as `src/core` sees it. Addresses are byte offsets into `memory`. */
export interface CoreExports {
  readonly memory: WebAssembly.Memory;
  readonly ABI_VERSION: WebAssembly.Global;
  reserve(byteLength: number): number;
  mark(): number;
  reset(mark: number): void;
  volumeArea(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  massProperties(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  axisAlignedBox(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  orientedBox(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  meshTopology(vertexCount: number, indices: number, triangleCount: number, out: number): number;
  sampleSurface(
    positions: number, vertexCount: number, indices: number, triangleCount: number,
    count: number, seed: number, outPositions: number, outNormals: number,
  ): number;
  pointMeshDistances(
    positions: number, vertexCount: number, indices: number, triangleCount: number,
    points: number, pointCount: number, out: number,
  ): number;
  surfaceDeviations(
    positions: number, vertexCount: number, indices: number, triangleCount: number,
    points: number, pointCount: number, transforms: number, transformCount: number, bound: number, out: number,
  ): number;
  meshTree(positions: number, vertexCount: number, indices: number, triangleCount: number, thin: number, out: number): number;
  nearestTriangles(
    packets: number, nodes: number, root: number, lowestCount: number,
    points: number, count: number, cosLimit: number, out: number,
  ): number;
}

/** The ABI that this TypeScript was written against; see `assembly/index.ts`. */
export const ABI_VERSION = 1;
