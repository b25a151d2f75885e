// Stand-in until the readers' branch is merged: binary STL only.
import type { Content } from '../content/content.js';
import { EngineError } from '../errors.js';
import type { ReadOptions } from '../options.js';

export async function readContent(bytes: Uint8Array, name: string, options: ReadOptions): Promise<Content> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 84) throw new EngineError('FORMAT_UNSUPPORTED', `${name}: not a binary STL`);
  const count = view.getUint32(80, true);
  if (bytes.length !== 84 + 50 * count) throw new EngineError('FILE_MALFORMED', `${name}: ${bytes.length} bytes, expected ${84 + 50 * count}`);
  if (count > options.limits.triangles) {
    throw new EngineError('LIMIT_EXCEEDED', `${name}: ${count} triangles, allowed are ${options.limits.triangles}`, {
      details: { limit: 'triangles', allowed: options.limits.triangles, found: count },
    });
  }
  const known = new Map<string, number>();
  const positions: number[] = [];
  const indices = new Uint32Array(3 * count);
  for (let corner = 0; corner < 3 * count; corner++) {
    const at = 84 + 50 * Math.floor(corner / 3) + 12 + 12 * (corner % 3);
    const point = [0, 4, 8].map((offset) => view.getFloat32(at + offset, true));
    const key = point.join();
    let vertex = known.get(key);
    if (vertex === undefined) known.set(key, (vertex = known.size)), positions.push(...point);
    indices[corner] = vertex;
  }
  return {
    kind: 'model', format: 'stl', unit: options.defaultUnit, warnings: [],
    root: { name, meshes: [0], children: [] },
    meshes: [{ name, positions: new Float64Array(positions), indices }],
  };
}
