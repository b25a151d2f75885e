/** Parts with teeth, ribs and threads of known sizes, and parts that are like them, made with the solid modeller. */
import { draw, sketchHelix } from 'replicad';
import { gearOutline } from '../../dist/parts/sample/gears.js';
import * as kit from '../../dist/parts/sample/solids.js';

const { box, circle, cylinder, drill, hexagon, onCircle, polygon, prism } = kit;

/** Polar outline: `teeth` times the points (angle as a share of a tooth, radius), mm. */
function repeated(teeth, points) {
  const step = (2 * Math.PI) / teeth;
  return polygon(
    Array.from({ length: teeth }, (_, k) =>
      points.map(([share, radius]) => [radius * Math.cos((k + share) * step), radius * Math.sin((k + share) * step)]),
    ).flat(),
  );
}

/** By name, as `MAKERS` of `parts.mjs`; what they ask for are teeth, ribs and threads alone. */
export const TOOTHED = {
  gear: ({ within, among }) => {
    const [module, count] = [among(1, 1.5, 2, 3), Math.round(within(14, 40))];
    const bore = Math.round(module * count * 0.3);
    const solid = prism(gearOutline(module, count), within(6, 20)).cut(cylinder(bore, 40, [0, 0, -5]));
    return {
      solid,
      features: [{ kind: 'teeth', count, diameterMm: module * (count + 2), depthMm: 2.25 * module, moduleMm: module }],
    };
  },
  'ring gear': ({ within, among }) => {
    const [module, count] = [among(1, 2), Math.round(within(24, 48))];
    const solid = prism(circle(module * (count + 10)), 10).cut(prism(gearOutline(module, count), 12, -1));
    // The outline of a wheel, cut out: its roots are the tips of the ring.
    const low = module * (count - 2.5);
    return { solid, features: [{ kind: 'teeth', count, diameterMm: low, isInternal: true }] };
  },
  ratchet: ({ within }) => {
    const [count, radius] = [Math.round(within(10, 30)), within(20, 40)];
    const high = 0.06 * radius;
    const solid = prism(
      repeated(count, [
        [0, radius],
        [0.02, radius - high],
      ]),
      within(4, 8),
    ).cut(cylinder(8, 20, [0, 0, -1]));
    return { solid, features: [{ kind: 'teeth', count, diameterMm: 2 * radius }] };
  },
  splined: ({ within, among }) => {
    const [count, r] = [among(6, 8, 10), within(10, 16)];
    const width = (Math.PI * r) / count;
    let solid = cylinder(2 * r, 60);
    for (let k = 0; k < count; k++)
      solid = solid.cut(
        box(width, 4, 40, 30)
          .translate([0, r + 0.8, 0])
          .rotate((360 * k) / count),
      );
    return { solid, features: [{ kind: 'teeth', count, diameterMm: 2 * r }] };
  },
  ribbed: ({ within, among }) => {
    const [count, t, high] = [among(2, 3, 4), within(1.5, 3), within(10, 18)];
    let solid = box(100, 60, 4);
    for (let k = 0; k < count; k++) solid = solid.fuse(box(80, t, high + 1, 3).translate([0, -20 + 12 * k, 0]));
    return { solid, features: [{ kind: 'rib', count, widthMm: t, depthMm: high }] };
  },
  gusset: ({ within }) => {
    const [t, side] = [within(3, 6), within(25, 40)];
    const profile = polygon([
      [0, 0],
      [60, 0],
      [60, 5],
      [5, 5],
      [5, 60],
      [0, 60],
    ]);
    const wedge = polygon([
      [4, 4],
      [5 + side, 4],
      [5 + side, 5],
      [5, 5 + side],
      [4, 5 + side],
    ]);
    const solid = kit.bar(profile, 50).fuse(kit.bar(wedge, t, 22));
    return { solid, features: [{ kind: 'rib', count: 1, widthMm: t }] };
  },
  bolt: ({ among }) => {
    const [pitchMm, r] = among([1.5, 5], [2, 6], [1.25, 4]);
    const high = 0.6 * pitchMm;
    const ridge = sketchHelix(pitchMm, 8 * pitchMm, r - 0.02, [0, 0, pitchMm]).sweepSketch(
      (plane, origin) =>
        draw([0, -0.42 * pitchMm])
          .lineTo([high + 0.02, -0.06 * pitchMm])
          .lineTo([high + 0.02, 0.06 * pitchMm])
          .lineTo([0, 0.42 * pitchMm])
          .close()
          .sketchOnPlane(plane, origin),
      { frenet: true },
    );
    const solid = cylinder(2 * r, 10 * pitchMm).fuse(ridge);
    return { solid, features: [{ kind: 'thread', count: 1, diameterMm: 2 * (r + high), pitchMm }], tolerance: 0.02 };
  },
  // What has none of them.
  hexagon: ({ within }) => ({
    solid: prism(hexagon(within(10, 30)), within(6, 12)).cut(cylinder(6, 40, [0, 0, -5])),
    features: [],
  }),
  knob: ({ within }) => {
    const r = within(20, 30);
    let solid = cylinder(2 * r, 15);
    for (const [x, y] of onCircle(2.2 * r, 6)) solid = solid.cut(cylinder(0.8 * r, 20, [x, y, -1]));
    return { solid: solid.fillet(2, (edges) => edges.inDirection('Z')), features: [] };
  },
  fan: ({ within, among }) => {
    const [count, r] = [among(6, 7, 9, 11), within(25, 40)];
    let solid = cylinder(0.6 * r, 12);
    for (let k = 0; k < count; k++)
      solid = solid.fuse(
        box(r, 1.2, 10, 1)
          .translate([r / 2, 0, 0])
          .rotate((360 * k) / count),
      );
    return { solid, features: [] };
  },
  flanged: ({ within }) => {
    const r = within(30, 40);
    let solid = drill(cylinder(2 * r, 8), 5, onCircle(1.6 * r, 8), 0, 8);
    for (const [x, y] of onCircle(1.2 * r, 8, 22.5)) solid = solid.fuse(cylinder(4, 8, [x, y, 7]));
    return { solid, features: [] };
  },
  'i-beam': ({ within }) => {
    const [b, h, t] = [within(30, 50), within(50, 80), within(3, 5)];
    const solid = box(b, h, 200)
      .cut(box(b, h - 2 * t, 202, -1).translate([(b + t) / 2, 0, 0]))
      .cut(box(b, h - 2 * t, 202, -1).translate([-(b + t) / 2, 0, 0]));
    return { solid, features: [] };
  },
};
