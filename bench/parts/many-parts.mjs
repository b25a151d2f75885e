/**
 * A generated library of any size for benches of scale: machined parts of few triangles, all different.
 *
 * Parts come in groups of eight. In a third of the groups the members are sizes of one part (a screw and its lengths);
 * in the others they only share the kind. Of a hundred parts about one is an exact copy of an earlier file and two are
 * earlier parts turned, as another export of the same part would be. A part depends on its number alone.
 */
import Module from 'manifold-3d';
import { turned } from '../support/meshes.mjs';
import { Kit, mulberry32 } from './reference/kit.mjs';

const GROUP = 8;
const COPIES = 0.01;
const TURNED = 0.03;

/** Each function makes a solid; `stretch` is 1, or increases over the members of a size family. */
const kinds = {
  block(k, stretch) {
    const [x, y, z] = [k.len(10, 80) * stretch, k.len(10, 60), k.len(5, 40)];
    const steps = Array.from({ length: k.int(1, 3) }, (_, i) =>
      k
        .box(k.num(0.1, 0.5) * x, k.num(0.2, 0.9) * y, k.num(0.2, 0.8) * z)
        .at(k.num(-0.25, 0.25) * x, 0, (i % 2 === 0 ? 1 : -0.5) * z * 0.9),
    );
    return k
      .box(x, y, z)
      .plus(...steps)
      .minus(k.box(k.num(0.1, 0.3) * x, 2 * y, k.num(0.2, 0.5) * z).at(k.num(-0.3, 0.3) * x));
  },
  prism(k, stretch) {
    const outline = k.ngon(k.int(3, 10), k.len(5, 50)).scale(1, k.num(0.4, 1));
    const bored = k.chance(0.5) ? outline.minus(outline.scale(k.num(0.2, 0.7))) : outline;
    return bored.up(k.len(5, 80) * stretch, { taper: k.chance(0.3) ? k.num(0.3, 0.9) : 1 });
  },
  profile(k, stretch) {
    const [w, h, t] = [k.len(15, 60), k.len(15, 60), k.len(1.5, 6)];
    const web = k.rect(t, h),
      foot = k.rect(w, t).at(0, (t - h) / 2),
      head = foot.at(0, h - t);
    const outline = k.pick([
      () => web.at((t - w) / 2).plus(foot),
      () => web.plus(foot),
      () => web.plus(foot, head),
      () => web.at((t - w) / 2).plus(web.at((w - t) / 2), foot),
      () => web.at((t - w) / 2).plus(foot, head),
    ])();
    const bar = outline.up(k.len(20, 200) * stretch);
    return k.chance(0.5)
      ? bar.minus(
          k
            .cyl(k.num(0.15, 0.3) * w, 4 * h)
            .rot(90)
            .at(0, 2 * h, k.num(8, 15)),
        )
      : bar;
  },
  shaft(k, stretch) {
    let z = 0;
    const points = [[0, 0]];
    const bore = k.chance(0.4) ? k.num(1, 3) : 0;
    for (let steps = k.int(2, 6); steps > 0; steps--) {
      const radius = bore + k.len(2, 20);
      points.push([radius, z]);
      z += k.len(3, 40) * stretch;
      points.push([radius, z]);
    }
    points.push([0, z]);
    const shaft = k.turned(points);
    const drilled = bore > 0 ? shaft.minus(k.cyl(bore, z * k.num(0.4, 2)).at(0, 0, -1)) : shaft;
    return k.chance(0.4) ? drilled.minus(k.box(80, 30, z * k.num(0.1, 0.3)).at(0, 15 + k.num(2, 5), -1)) : drilled;
  },
  flange(k, stretch) {
    const [radius, thickness] = [k.len(15, 60) * stretch, k.len(3, 12)];
    const hub = k.cyl(k.num(0.3, 0.55) * radius, thickness * k.num(1.5, 5));
    const holes = k
      .cyl(k.num(0.05, 0.12) * radius, 3 * thickness, 12)
      .each(k.ring(k.int(3, 8), k.num(0.7, 0.8) * radius));
    return k
      .cyl(radius, thickness)
      .plus(hub)
      .minus(holes.at(0, 0, -1), k.cyl(k.num(0.1, 0.25) * radius, 200).at(0, 0, -1));
  },
  plate(k, stretch) {
    const [x, y] = [k.len(20, 120) * stretch, k.len(20, 80)];
    const [nx, ny] = [k.int(1, 5), k.int(1, 3)];
    const hole = k.ngon(k.pick([3, 4, 5, 6, 8, 12]), k.num(0.2, 0.6) * Math.min(x / nx, y / ny));
    return k
      .rect(x, y)
      .minus(k.spread(hole, k.grid(nx, ny, x / nx, y / ny)))
      .up(k.len(1, 12));
  },
  bracket(k, stretch) {
    const [w, a, b, t] = [k.len(15, 60) * stretch, k.len(15, 60), k.len(15, 60), k.len(2, 6)];
    const bent = k
      .box(w, a, t)
      .at(0, a / 2)
      .plus(k.box(w, t, b).at(0, t / 2));
    const gusset = k
      .polygon([
        [0, 0],
        [0.6 * a, 0],
        [0, 0.6 * b],
      ])
      .up(t)
      .rot(90, 0, 90)
      .at(k.num(-0.4, 0.4) * w - t / 2, t / 2, t / 2);
    const drill = k.cyl(k.num(1, 0.15 * Math.min(w, a)), 4 * t, 12);
    return (k.chance(0.6) ? bent.plus(gusset) : bent).minus(
      drill.each(k.grid(k.int(1, 2), 1, 0.5 * w)).at(0, 0.75 * a, -t),
    );
  },
  wheel(k, stretch) {
    const [radius, teeth] = [k.len(10, 50), k.int(6, 24)];
    const points = Array.from({ length: 4 * teeth }, (_, i) => {
      const angle = (Math.PI * i) / (2 * teeth),
        r = i % 4 < 2 ? radius : 0.85 * radius;
      return [r * Math.cos(angle), r * Math.sin(angle)];
    });
    return k
      .polygon(points)
      .minus(k.circle(k.num(0.1, 0.6) * radius))
      .up(k.len(2, 30) * stretch);
  },
  frame(k, stretch) {
    const [x, y, n] = [k.len(30, 120) * stretch, k.len(20, 80), k.int(1, 4)];
    const window = k.rect(k.num(0.5, 0.85) * (x / n), k.num(0.4, 0.85) * y);
    return k
      .rect(x, y)
      .minus(k.spread(window, k.grid(n, 1, x / n)))
      .up(k.len(2, 25));
  },
  casing(k, stretch) {
    const [x, y, z, t] = [k.len(20, 100) * stretch, k.len(20, 80), k.len(10, 50), k.num(1.5, 4)];
    const posts = k.cyl(k.num(2, 4), 0.8 * z, 12).each(k.corners(0.35 * x, 0.35 * y));
    return k
      .box(x, y, z)
      .minus(k.box(x - 2 * t, y - 2 * t, z).at(0, 0, t))
      .plus(posts);
  },
};

/** @returns {Promise<(number: number) => { path: string, bytes: Uint8Array }>} binary STL of part 0, 1, 2 … */
export async function manyParts() {
  const wasm = await Module();
  wasm.setup();
  const names = Object.keys(kinds);

  const meshOf = (number) => {
    const group = Math.floor(number / GROUP),
      member = number % GROUP;
    const ofSizes = group % 3 === 0;
    const kit = new Kit(wasm, ofSizes ? 2 * group : 2 * number + 1);
    kit.seg = kit.pick([12, 16, 20, 24]);
    kit.fineSeg = 12;
    try {
      const { vertProperties, triVerts } = kinds[names[group % names.length]](
        kit,
        ofSizes ? 1.15 ** member : 1,
      ).raw.getMesh();
      return { positions: Float32Array.from(vertProperties), indices: Uint32Array.from(triVerts) };
    } finally {
      kit.free();
    }
  };

  const bytesOf = (number) => {
    const random = mulberry32(7919 * number + 3);
    const kind = number < GROUP ? 1 : random();
    const earlier = Math.floor(number * random());
    if (kind < COPIES) return bytesOf(earlier);
    return binaryStl(kind < TURNED ? turned(meshOf(earlier), random) : meshOf(number));
  };

  return (number) => {
    const group = Math.floor(number / GROUP);
    return {
      path: `${names[group % names.length]}/${group}/part-${number}.stl`,
      bytes: bytesOf(number),
      mesh: () => meshOf(number),
    };
  };
}

function binaryStl({ positions, indices }) {
  const bytes = new Uint8Array(84 + (50 * indices.length) / 3);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, indices.length / 3, true);
  indices.forEach((vertex, corner) => {
    const at = 84 + 50 * Math.floor(corner / 3) + 12 * (1 + (corner % 3));
    for (let axis = 0; axis < 3; axis++) view.setFloat32(at + 4 * axis, positions[3 * vertex + axis], true);
  });
  return bytes;
}
