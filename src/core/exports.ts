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

/** A mesh in the core's memory during one call, as the kernels take it. */
export type MeshInCore = readonly [positions: number, vertexCount: number, indices: number, triangleCount: number];

/** What `assembly/index.ts` exports, as `src/core` sees it. Addresses are byte offsets into `memory`. */
export interface CoreExports {
  readonly memory: WasmMemory;
  readonly ABI_VERSION: WasmGlobal;
  reserve(byteLength: number): number;
  mark(): number;
  reset(mark: number): void;
  describeShape(...call: [...mesh: MeshInCore, out: number]): number;
  orbitMoments(hog: number, channels: number, out: number): void;
  arrangementTables(hog: number, images: number, codes: number): void;
  compareFine(query: number, candidates: number, count: number, out: number): number;
  comparePairs(parts: number, count: number, out: number): number;
  codeRows(vectors: number, dimension: number, count: number, heads: number, tails: number): number;
  scanTop(
    query: number,
    dimension: number,
    vectors: number,
    labels: number,
    heads: number,
    tails: number,
    mostRest: number,
    queryCodes: number,
    rows: number,
    count: number,
    wanted: number,
    k: number,
    outDistances: number,
    outLabels: number,
  ): number;
  scanLayouts(cells: number, queries: number, count: number, pages: number, pageCount: number, out: number): void;
  hashVectors(vectors: number, dimension: number, count: number, out: number): void;
  addVolumeArea(positions: number, vertexCount: number, indices: number, triangleCount: number, sums: number): number;
  volumeAreaOf(sums: number, out: number): number;
  volumeArea(...call: [...mesh: MeshInCore, out: number]): number;
  massProperties(...call: [...mesh: MeshInCore, out: number]): number;
  axisAlignedBox(...call: [...mesh: MeshInCore, out: number]): number;
  orientedBox(...call: [...mesh: MeshInCore, out: number]): number;
  meshTopology(vertexCount: number, indices: number, triangleCount: number, out: number): number;
  sampleSurface(
    ...call: [...mesh: MeshInCore, count: number, seed: number, outPositions: number, outNormals: number]
  ): number;
  pointMeshDistances(...call: [...mesh: MeshInCore, points: number, pointCount: number, out: number]): number;
  surfaceDeviations(
    ...call: [
      ...mesh: MeshInCore,
      points: number,
      pointCount: number,
      transforms: number,
      transformCount: number,
      bound: number,
      out: number,
    ]
  ): number;
  renderShaded(
    ...call: [
      ...mesh: MeshInCore,
      cameras: number,
      count: number,
      size: number,
      creaseCos: number,
      tints: number,
      out: number,
    ]
  ): number;
  fullestSide(...call: [...mesh: MeshInCore, cameras: number, count: number, creaseCos: number, out: number]): number;
  renderView(
    ...call: [
      ...mesh: MeshInCore,
      camera: number,
      size: number,
      margin: number,
      creaseCos: number,
      depth: number,
      normals: number,
      mask: number,
      lines: number,
      frame: number,
    ]
  ): number;
  renderModelViews(
    ...call: [
      ...mesh: MeshInCore,
      cameras: number,
      modes: number,
      count: number,
      nearness: number,
      creaseCos: number,
      pictures: number,
      frames: number,
    ]
  ): number;
  objectOdds(picture: number, width: number, height: number, table: number, out: number): number;
  followPoses(
    ...call: [
      ...mesh: MeshInCore,
      gray: number,
      size: number,
      poses: number,
      count: number,
      rounds: number,
      posesOut: number,
      out: number,
    ]
  ): number;
  photoFits(
    ...call: [...mesh: MeshInCore, gray: number, poses: number, count: number, table: number, out: number]
  ): number;
  layLines(
    drawn: number,
    drawnCount: number,
    model: number,
    modelCount: number,
    pairs: number,
    pairCount: number,
    out: number,
  ): number;
  halveInk(bits: number, width: number, height: number, out: number): void;
  prepareInk(bits: number, width: number, height: number, out: number): void;
  promiseOfInk(part: number, page: number, places: number, count: number, least: number, out: number): number;
  layInk(
    part: number,
    page: number,
    places: number,
    count: number,
    leastSide: number,
    mostSide: number,
    out: number,
  ): number;
  prepareLaid(lines: number, out: number): number;
  layPicture(onto: number, from: number, out: number): number;
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
  turnViews(rows: number, stride: number, count: number, out: number): void;
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
  narrowViews(vectors: number, count: number, number: number, out: number): void;
  nearestCentres(rows: number, count: number, centres: number, centreCount: number, out: number): void;
  centreProducts(queries: number, count: number, centres: number, centreCount: number, out: number): void;
  gatherRows(rows: number, places: number, count: number, out: number): void;
  probeLists(
    queries: number,
    pairs: number,
    pairCount: number,
    starts: number,
    links: number,
    rows: number,
    best: number,
  ): void;
  addLogs(best: number, floor: number, weight: number, logs: number, files: number, sums: number): void;
  scanNarrowFiles(
    queries: number,
    viewCount: number,
    rows: number,
    ranges: number,
    fileCount: number,
    out: number,
  ): void;
  scanNarrowRows(queries: number, count: number, rows: number, ranges: number, fileCount: number, out: number): void;
  convolve(shape: number, from: number, weights: number, bias: number, added: number, to: number): void;
  meshTree(...call: [...mesh: MeshInCore, thin: number, out: number]): number;
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
export const ABI_VERSION = 20;
