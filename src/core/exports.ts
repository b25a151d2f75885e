/**
 * `WebAssembly.Memory`, `Global` and `Module`. In a project without the types of the DOM these names do not exist;
 * there the types are reduced to what this module uses, so that our declarations still compile.
 */
export type WasmMemory = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer Memory } } }
  ? Memory
  : { readonly buffer: ArrayBuffer };
export type WasmGlobal = typeof globalThis extends { WebAssembly: { Global: { prototype: infer Global } } }
  ? Global
  : { readonly value: unknown };
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/** What `assembly/index.ts` exports, as `src/core` sees it. Addresses are byte offsets into `memory`. */
export interface CoreExports {
  readonly memory: WasmMemory;
  readonly ABI_VERSION: WasmGlobal;
  reserve(byteLength: number): number;
  mark(): number;
  reset(mark: number): void;
  describeShape(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  orbitMoments(hog: number, channels: number, out: number): void;
  arrangeQuery(fine: number, arranged: number): void;
  compareFine(query: number, arranged: number, candidates: number, count: number, out: number): void;
  compareAligned(candidates: number, arrangements: number, count: number, out: number): number;
  scanTop(
    query: number,
    dimension: number,
    vectors: number,
    labels: number,
    rows: number,
    count: number,
    wanted: number,
    k: number,
    outDistances: number,
    outLabels: number,
  ): number;
  hashVectors(vectors: number, dimension: number, count: number, out: number): void;
  addVolumeArea(positions: number, vertexCount: number, indices: number, triangleCount: number, sums: number): number;
  volumeAreaOf(sums: number, out: number): number;
  volumeArea(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  massProperties(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  axisAlignedBox(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  orientedBox(positions: number, vertexCount: number, indices: number, triangleCount: number, out: number): number;
  meshTopology(vertexCount: number, indices: number, triangleCount: number, out: number): number;
  sampleSurface(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    count: number,
    seed: number,
    outPositions: number,
    outNormals: number,
  ): number;
  pointMeshDistances(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    points: number,
    pointCount: number,
    out: number,
  ): number;
  surfaceDeviations(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    points: number,
    pointCount: number,
    transforms: number,
    transformCount: number,
    bound: number,
    out: number,
  ): number;
  renderShaded(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    cameras: number,
    count: number,
    size: number,
    creaseCos: number,
    tints: number,
    out: number,
  ): number;
  renderView(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    camera: number,
    size: number,
    margin: number,
    creaseCos: number,
    depth: number,
    normals: number,
    mask: number,
    lines: number,
    frame: number,
  ): number;
  renderModelViews(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    cameras: number,
    modes: number,
    count: number,
    nearness: number,
    creaseCos: number,
    pictures: number,
    frames: number,
  ): number;
  scorePoses(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    gray: number,
    size: number,
    poses: number,
    count: number,
    out: number,
  ): number;
  describeViews(pictures: number, free: number, count: number, out: number): number;
  compareViews(
    queries: number,
    viewCount: number,
    turns: number,
    rows: number,
    stride: number,
    starts: number,
    fileCount: number,
    outLikeness: number,
    outRow: number,
    outTurn: number,
  ): number;
  projectViews(rows: number, stride: number, count: number, axes: number, out: number): void;
  scanFiles(
    queries: number,
    viewCount: number,
    turns: number,
    rows: number,
    ranges: number,
    fileCount: number,
    out: number,
  ): void;
  scanRows(queries: number, count: number, rows: number, ranges: number, fileCount: number, out: number): void;
  meshTree(
    positions: number,
    vertexCount: number,
    indices: number,
    triangleCount: number,
    thin: number,
    out: number,
  ): number;
  nearestTriangles(
    packets: number,
    nodes: number,
    root: number,
    lowestCount: number,
    points: number,
    count: number,
    cosLimit: number,
    out: number,
  ): number;
}

/** The ABI version that this TypeScript expects; see `assembly/index.ts`. */
export const ABI_VERSION = 6;
