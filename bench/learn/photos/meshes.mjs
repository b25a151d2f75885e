/**
 * Parts made by code as one file of triangles, of which `scenes.py` draws the pictures that networks learn from.
 *
 * Every part is centred and has a radius of 1; a triangle is nine f16 of corners, then nine i8 of normals at them.
 * The file: u32 count of parts, u32[count + 1] first triangle of each, u32[count] its family, f16[triangles][9],
 * i8[triangles][9].
 * Parts with more triangles than --most are left out. The seed differs from those that benches measure on.
 *
 * node bench/learn/photos/meshes.mjs --out FILE [--count 1600] [--seed 5] [--most 2000]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { familyNames, referenceParts } from '../../parts/reference.mjs';
import { poseMesh } from '../../support/software-camera.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    count: { type: 'string', default: '1600' },
    seed: { type: 'string', default: '5' },
    most: { type: 'string', default: '2000' },
  },
});
if (values.out === undefined) throw new Error('--out FILE is required');

const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const firsts = [0],
  families = [],
  corners = [],
  normals = [];
for await (const part of referenceParts({ seed: Number(values.seed), count: Number(values.count) })) {
  if (part.indices.length / 3 > Number(values.most)) continue;
  const posed = poseMesh(part, UPRIGHT);
  const own = new Uint16Array(3 * posed.indices.length);
  posed.indices.forEach((vertex, corner) => {
    for (let axis = 0; axis < 3; axis++) own[3 * corner + axis] = half(posed.points[3 * vertex + axis]);
  });
  corners.push(own);
  normals.push(Int8Array.from(posed.normals, (value) => Math.round(127 * value)));
  families.push(familyNames.indexOf(part.family));
  firsts.push(firsts.at(-1) + posed.indices.length / 3);
}
writeFileSync(
  values.out,
  Buffer.concat([
    Buffer.from(Uint32Array.of(firsts.length - 1, ...firsts, ...families).buffer),
    ...corners.map(({ buffer }) => Buffer.from(buffer)),
    ...normals.map(({ buffer }) => Buffer.from(buffer)),
  ]),
);
console.log(`${firsts.length - 1} parts, ${firsts.at(-1)} triangles`);

/** The nearest number of 16 bits (IEEE 754); of the magnitudes here, up to 1, small ones become 0. */
function half(value) {
  const size = Math.abs(value);
  const sign = value < 0 ? 0x8000 : 0;
  if (size < 2 ** -14) return sign;
  const exponent = Math.floor(Math.log2(size));
  const bits = Math.round((size / 2 ** exponent - 1) * 1024);
  return sign | (((exponent + 15) << 10) + bits);
}
