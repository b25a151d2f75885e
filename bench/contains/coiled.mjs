/** Parts with helical and other free walls, made with the solid modeller: what planes and cones cannot tell apart. */
import { draw, sketchCircle, sketchHelix } from 'replicad';
import * as kit from '../../dist/parts/sample/solids.js';

const { box, circle, cylinder, drill, hexagon, onCircle, polygon, prism } = kit;

/** A profile of points about a helix, x away from the axis and y along it, mm. */
function coil({ pitchMm, turns, radiusMm, from = 0 }, points) {
  return sketchHelix(pitchMm, turns * pitchMm, radiusMm, [0, 0, from]).sweepSketch(
    (plane, origin) => {
      const [first, ...rest] = points;
      let pen = draw(first);
      for (const point of rest) pen = pen.lineTo(point);
      return pen.close().sketchOnPlane(plane, origin);
    },
    { frenet: true },
  );
}

const bare = (solid) => ({ solid, features: [] });

/** By name, as `MAKERS` of `../features/parts.mjs`. */
export const COILED = {
  'spring washer': ({ within }) => {
    const [radiusMm, wide, high] = [within(4, 25), within(0.2, 0.3), within(0.12, 0.25)];
    const [w, h] = [wide * radiusMm, high * radiusMm];
    return bare(
      coil({ pitchMm: h * within(1, 1.6), turns: within(0.9, 0.97), radiusMm }, [
        [-w / 2, -h / 2],
        [w / 2, -h / 2],
        [w / 2, h / 2],
        [-w / 2, h / 2],
      ]),
    );
  },
  'flat spring': ({ within }) => {
    const [radiusMm, w, h] = [within(10, 25), within(3, 6), within(1, 2.5)];
    return bare(
      coil({ pitchMm: h * within(1.6, 3), turns: within(2, 5), radiusMm }, [
        [-w / 2, -h / 2],
        [w / 2, -h / 2],
        [w / 2, h / 2],
        [-w / 2, h / 2],
      ]),
    );
  },
  auger: ({ within }) => {
    const [core, pitchMm, thick] = [within(4, 8), within(15, 30), within(1.5, 3)];
    const out = core * within(1.8, 2.6);
    const blade = coil({ pitchMm, turns: within(2, 3), radiusMm: core - 0.2, from: 5 }, [
      [0, -thick / 2],
      [out - core, -thick / 2],
      [out - core, thick / 2],
      [0, thick / 2],
    ]);
    return bare(cylinder(2 * core, 3 * pitchMm + 15).fuse(blade));
  },
  'trapezoid screw': ({ within }) => {
    const [r, pitchMm] = [within(5, 12), within(2, 4)];
    const turns = Math.round(within(5, 9));
    const ridge = coil({ pitchMm, turns, radiusMm: r - 0.02, from: pitchMm }, [
      [0, -0.35 * pitchMm],
      [0.5 * pitchMm, -0.2 * pitchMm],
      [0.5 * pitchMm, 0.2 * pitchMm],
      [0, 0.35 * pitchMm],
    ]);
    const head = prism(hexagon(3.4 * r), 0.8 * r, -0.8 * r);
    return bare(
      cylinder(2 * r, (turns + 2) * pitchMm)
        .fuse(ridge)
        .fuse(head),
    );
  },
  'sharp screw': ({ within }) => {
    const [r, pitchMm] = [within(2, 8), within(0.8, 1.6)];
    const turns = Math.round(within(5, 9));
    const high = 0.6 * pitchMm;
    const ridge = coil({ pitchMm, turns, radiusMm: r - 0.02, from: pitchMm }, [
      [0, -0.42 * pitchMm],
      [high + 0.02, -0.06 * pitchMm],
      [high + 0.02, 0.06 * pitchMm],
      [0, 0.42 * pitchMm],
    ]);
    const head = cylinder(3.2 * r, 1.6 * r, [0, 0, -1.6 * r]).cut(prism(hexagon(1.6 * r), r, -1.6 * r));
    return bare(
      cylinder(2 * r, (turns + 2) * pitchMm)
        .fuse(ridge)
        .fuse(head),
    );
  },
  twisted: ({ within, among }) => {
    const side = within(8, 20);
    const outline = among(
      polygon([
        [-side / 2, -side / 2],
        [side / 2, -side / 2],
        [side / 2, side / 2],
        [-side / 2, side / 2],
      ]),
      hexagon(side),
    );
    const high = within(20, 60);
    const column = outline.sketchOnPlane('XY').extrude(high, { twistAngle: within(30, 120) });
    return bare(column.fuse(cylinder(2.2 * side, 5, [0, 0, -5])));
  },
  loft: ({ within }) => {
    const [a, b, high] = [within(20, 40), within(8, 16), within(20, 50)];
    const foot = draw([-a / 2, -a / 3])
      .lineTo([a / 2, -a / 3])
      .lineTo([a / 2, a / 3])
      .lineTo([-a / 2, a / 3])
      .close();
    const solid = foot.sketchOnPlane('XY').loftWith(circle(2 * b).sketchOnPlane('XY', high), { ruled: false });
    return bare(solid.cut(cylinder(b, high + 2, [0, 0, -1])));
  },
  bent: ({ within }) => {
    const [r, wall, reach] = [within(6, 12), within(1, 2), within(30, 60)];
    const path = () =>
      draw([0, 0])
        .lineTo([reach, 0])
        .tangentArcTo([2 * reach, reach])
        .lineTo([2 * reach, 2 * reach])
        .done();
    const swept = (radius) =>
      path()
        .sketchOnPlane('XZ')
        .sweepSketch((plane, origin) => sketchCircle(radius, { plane, origin }));
    return bare(swept(r).cut(swept(r - wall)));
  },
  domed: ({ within }) => {
    const [x, y, z, r] = [within(30, 60), within(25, 45), within(10, 20), within(2, 4)];
    const solid = box(x, y, z).fillet(r);
    return bare(drill(solid, 2 * r, onCircle(0.5 * y, 3, within(0, 90)), 0, z));
  },
  handle: ({ within }) => {
    const [long, wide] = [within(60, 100), within(14, 24)];
    const wave = draw([0, 0])
      .lineTo([long, 0])
      .lineTo([long, wide])
      .smoothSplineTo([0.6 * long, 0.7 * wide])
      .smoothSplineTo([0.3 * long, 1.2 * wide])
      .smoothSplineTo([0, wide])
      .close();
    return bare(prism(wave, within(8, 14)).cut(cylinder(5, 40, [0.15 * long, wide / 2, -5])));
  },
};
