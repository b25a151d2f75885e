/** The WebAssembly core by itself: mass properties, boxes, renderings and descriptors of a mesh, in Node or a browser. */
export { Core, type CoreSource } from './core.js';
export { axisAlignedBox, orientedBox, type AxisAlignedBox, type OrientedBox } from './box.js';
export { massProperties, volumeAndArea, type MassProperties, type Vector3, type VolumeAndArea } from './mass.js';
export type { TriangleMesh } from './mesh.js';
export { VectorTable, type Neighbours } from './scan.js';
