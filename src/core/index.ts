/** The WebAssembly core by itself: mass properties, boxes, renderings and descriptors of a mesh, in Node or a browser. */
export { axisAlignedBox, orientedBox, type AxisAlignedBox, type OrientedBox } from './box.js';
export { Core, type CoreSource } from './core.js';
export { pointMeshDistances, surfaceDeviations, type SurfaceDeviation } from './deviation.js';
export { massProperties, volumeAndArea, type MassProperties, type Vector3, type VolumeAndArea } from './mass.js';
export type { TriangleMesh } from './mesh.js';
export { MOST_SAMPLES, sampleSurface, type SurfaceSamples } from './samples.js';
export { meshTopology, type MeshTopology } from './topology.js';
export { VectorTable, type Neighbours } from './scan.js';
export { LINE, renderView, type View, type ViewOptions } from './render.js';
