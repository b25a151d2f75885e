// Stand-in until the lead's descriptors are merged.
import type { Model } from '../content/model.js';
import type { Core } from '../core/core.js';
import { EngineError } from '../errors.js';
import { placeMeshes } from '../shapelets/mesh.js';
import { COMPACT_DIMENSION, type ShapeDescription } from './description.js';

export function describeModel(_core: Core, model: Model): ShapeDescription {
  const { positions, indices } = placeMeshes(model);
  if (indices.length === 0) throw new EngineError('NO_GEOMETRY', 'the model has no triangles');
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => { low[i % 3] = Math.min(low[i % 3], value); high[i % 3] = Math.max(high[i % 3], value); });
  const size = high.map((value, axis) => value - low[axis]).sort((a, b) => b - a) as [number, number, number];
  let volume = 0, area = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
    const u = [0, 1, 2].map((k) => b[k] - a[k]), v = [0, 1, 2].map((k) => c[k] - a[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    area += Math.hypot(...n) / 2;
    volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
  }
  const compact = new Float32Array(COMPACT_DIMENSION);
  compact.set(size.map(Math.log1p));
  return {
    triangleCount: indices.length / 3, componentCount: 1, volumeMm3: Math.abs(volume), surfaceAreaMm2: area,
    bboxSizeMm: size, bboxVolumeMm3: size[0] * size[1] * size[2], warnings: [],
    descriptors: { compact: new Uint8Array(compact.buffer), fine: new Uint8Array([1, 2]), surface: new Uint8Array([3]) },
  };
}
