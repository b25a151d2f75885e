import { CAMERA_FLAG, FLAGS_AT, FREE_FLAG } from './views.js';

/** Number of upright views of a model, which come first; 0 for the views of a page. */
export function uprightOf(views: Uint8Array, stride: number): number {
  if (!isOfModel(views)) return 0;
  let count = 0;
  for (let at = FLAGS_AT; at < views.length && (views[at] & FREE_FLAG) === 0; at += stride) count++;
  return count;
}

/** Whether the first view may be turned by any angle. */
export function isFree(views: Uint8Array): boolean {
  return (views[FLAGS_AT] & FREE_FLAG) !== 0;
}

/** Whether the views were rendered from a model. */
export function isOfModel(views: Uint8Array): boolean {
  return (views[FLAGS_AT] & CAMERA_FLAG) !== 0;
}

/** Weights of the views of one file, in proportion to the square roots of the areas of their boxes; they sum to 1. */
export function weightsOf(views: Uint8Array, stride: number): Float32Array {
  const facts = new DataView(views.buffer, views.byteOffset, views.byteLength);
  const roots = Float32Array.from({ length: views.length / stride }, (_, i) =>
    Math.sqrt(Math.max(facts.getFloat32(i * stride + 640, true) * facts.getFloat32(i * stride + 644, true), 1e-12)),
  );
  const sum = roots.reduce((total, root) => total + root, 0);
  return roots.map((root) => root / sum);
}
