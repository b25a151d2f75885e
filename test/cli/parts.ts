import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { binaryStl, obj, type Triangles } from '../../dist/parts/mesh-files.js';

/** A box with one corner at the origin, mm. */
export function boxMesh(x: number, y: number, z: number): Triangles {
  const positions = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    positions.set([corner & 1 ? x : 0, corner & 2 ? y : 0, corner & 4 ? z : 0], 3 * corner);
  }
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { positions, indices: Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])) };
}

/** A sphere of latitude bands, mm: 2 * bands * (2 * bands - 2) triangles. */
export function sphereMesh(radius: number, bands: number): Triangles {
  const around = 2 * bands;
  const positions: number[] = [0, 0, radius, 0, 0, -radius];
  for (let band = 1; band < bands; band++) {
    const polar = (Math.PI * band) / bands;
    for (let step = 0; step < around; step++) {
      const turn = (2 * Math.PI * step) / around;
      positions.push(
        radius * Math.sin(polar) * Math.cos(turn),
        radius * Math.sin(polar) * Math.sin(turn),
        radius * Math.cos(polar),
      );
    }
  }
  const at = (band: number, step: number): number => 2 + (band - 1) * around + (step % around);
  const indices: number[] = [];
  for (let step = 0; step < around; step++) {
    indices.push(0, at(1, step), at(1, step + 1), 1, at(bands - 1, step + 1), at(bands - 1, step));
    for (let band = 1; band < bands - 1; band++) {
      const [a, b, c, d] = [at(band, step), at(band + 1, step), at(band + 1, step + 1), at(band, step + 1)];
      indices.push(a, b, c, a, c, d);
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Writes a mesh as binary STL or OBJ, by the name's extension, and makes the folders. */
export async function writeMesh(file: string, mesh: Triangles): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, file.endsWith('.obj') ? obj(mesh, 'part') : binaryStl(mesh, 'part'));
}

/** Four good files and one broken one. */
export async function writeSmallFolder(folder: string): Promise<void> {
  await writeMesh(join(folder, 'cubes', 'cube-20.stl'), boxMesh(20, 20, 20));
  await writeMesh(join(folder, 'cubes', 'cube-20-again.obj'), boxMesh(20, 20, 20));
  await writeMesh(join(folder, 'bars', 'bar-20x20x80.stl'), boxMesh(20, 20, 80));
  await writeMesh(join(folder, 'balls', 'ball-30.stl'), sphereMesh(15, 24));
  await writeFile(join(folder, 'broken.step'), 'ISO-10303-21;\nHEADER;\nthis is where the file ends'.padEnd(2000));
}
