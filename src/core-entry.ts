/**
 * `shapedex/core`: measures, renderings, distances and descriptors of meshes without an engine, in Node or a browser.
 * It stands here because it hands out both `core/` and the describer of `descriptors/`, and `core/` may not import
 * upwards.
 */
export { axisAlignedBox, orientedBox, type AxisAlignedBox, type OrientedBox } from './core/box.js';
export { Core, type CoreSource } from './core/core.js';
export { pointMeshDistances, surfaceDeviations, type SurfaceDeviation } from './core/deviation.js';
export { massProperties, volumeAndArea, type MassProperties, type Vector3, type VolumeAndArea } from './core/mass.js';
export type { TriangleMesh } from './core/mesh.js';
export { MOST_SAMPLES, sampleSurface, type SurfaceSamples } from './core/samples.js';
export { meshTopology, type MeshTopology } from './core/topology.js';
export { VectorTable, type Neighbours } from './core/scan.js';
export { LINE, renderView, type View, type ViewOptions } from './core/render.js';
export type { BytesSource } from './core/load-bytes.js';
export { MeshDescriber, type DescribableMesh, type MeshDescription } from './descriptors/describe-mesh.js';
export { DESCRIPTORS } from './descriptors/description.js';
