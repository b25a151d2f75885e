/** The WebAssembly core by itself: mass properties, boxes, renderings and descriptors of a mesh, in Node or a browser. */
export { Core, type CoreSource } from './core.js';
export type { TriangleMesh } from './mesh.js';
