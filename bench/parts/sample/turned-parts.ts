import { draw, drawRectangle, type Shape3D } from 'replicad';
import type { SamplePart } from './part.js';
import { cylinder, hexagon, prism, slot, turned, turnedDrawing, type Point2 } from './solids.js';

/** DIN 6885-1 keyway by shaft diameter: width, depth in the shaft, depth in the hub, mm. */
const KEYWAYS = { 12: [4, 2.5, 1.8], 17: [5, 3, 2.3], 20: [6, 3.5, 2.8], 25: [8, 4, 3.3] } as const;
type ShaftDiameter = keyof typeof KEYWAYS;

/** ISO 4379 form C and F (copper alloy bushes): bore, outside, length, flange diameter, mm. */
const BUSHES = [
  { bore: 10, outer: 16, length: 16 },
  { bore: 16, outer: 22, length: 20 },
  { bore: 20, outer: 26, length: 30 },
  { bore: 10, outer: 16, length: 16, flange: 22 },
  { bore: 20, outer: 26, length: 30, flange: 32 },
] as const;

/** Shafts, bushes, spacers, V-belt pulleys and knobs. */
export const TURNED_PARTS: readonly SamplePart[] = [
  ...(
    [
      [12, 80],
      [20, 120],
      [20, 160],
      [25, 200],
    ] as const
  ).map(
    ([diameter, length]): SamplePart => ({
      path: `shafts/stepped-shaft-d${diameter}x${length}.step`,
      build: () => steppedShaft(diameter, length),
    }),
  ),
  { path: 'shafts/plain-shaft-d12x80.step', build: () => plainShaft(12, 80) },
  ...BUSHES.map(
    (bush): SamplePart => ({
      path: `bushes/ISO4379-${'flange' in bush ? 'F' : 'C'}-${bush.bore}x${bush.outer}x${bush.length}.step`,
      build: () => bushing(bush),
    }),
  ),
  { path: 'spacers/hex-standoff-M3x10.step', build: () => hexStandoff(10) },
  { path: 'spacers/hex-standoff-M3x20.step', build: () => hexStandoff(20) },
  { path: 'spacers/round-spacer-M5x10.step', build: () => roundSpacer(5.3, 10, 10) },
  { path: 'spacers/round-spacer-M5x25.obj', build: () => roundSpacer(5.3, 10, 25) },
  ...(
    [
      [63, 17],
      [80, 20],
      [100, 25],
    ] as const
  ).map(
    ([diameter, bore]): SamplePart => ({
      path: `pulleys/ISO4183-SPZ-${diameter}.${diameter === 100 ? 'glb' : 'step'}`,
      build: () => vBeltPulley(diameter, bore),
    }),
  ),
  { path: 'knobs/DIN319-ball-20.ply', build: () => ballKnob(20, 12, 5) },
  { path: 'knobs/DIN319-ball-32.step', build: () => ballKnob(32, 18, 8) },
  { path: 'knobs/DIN6336-star-32.step', build: () => starKnob(32) },
  { path: 'knobs/DIN6336-star-40.obj', build: () => starKnob(40) },
];

/** A shaft with a seat for a bearing at each end and a keyway in the middle step, along X. */
function steppedShaft(diameter: ShaftDiameter, length: number): Shape3D {
  const [width, depth] = KEYWAYS[diameter];
  const collar = diameter * 1.25;
  const end = diameter * 0.75;
  const steps: Point2[] = [
    [end / 2, 0],
    [end / 2, length * 0.15],
    [diameter / 2, length * 0.15],
    [diameter / 2, length * 0.6],
    [collar / 2, length * 0.6],
    [collar / 2, length * 0.66],
    [diameter / 2, length * 0.66],
    [diameter / 2, length * 0.8],
    [end / 2, length * 0.8],
    [end / 2, length],
  ];
  const body = turned([[0, 0], ...chamferedEnds(steps, 0.5), [0, length]]).rotate(90, [0, 0, 0], [0, 1, 0]);
  const keyway = prism(slot(length * 0.35, width), depth + 1, diameter / 2 - depth).translateX(length * 0.375);
  return body.cut(keyway);
}

function plainShaft(diameter: number, length: number): Shape3D {
  const r = diameter / 2;
  return turned([
    [0, 0],
    ...chamferedEnds(
      [
        [r, 0],
        [r, length],
      ],
      0.5,
    ),
    [0, length],
  ]).rotate(90, [0, 0, 0], [0, 1, 0]);
}

/** Cuts the first and last corner of a run of (radius, z) steps by `size`. */
function chamferedEnds(steps: readonly Point2[], size: number): Point2[] {
  const [first, last] = [steps[0], steps[steps.length - 1]];
  return [
    [first[0] - size, first[1]],
    [first[0], first[1] + size],
    ...steps.slice(1, -1),
    [last[0], last[1] - size],
    [last[0] - size, last[1]],
  ];
}

function bushing(bush: { bore: number; outer: number; length: number; flange?: number }): Shape3D {
  const [inner, outer] = [bush.bore / 2, bush.outer / 2];
  const foot: Point2[] =
    bush.flange === undefined
      ? [
          [outer - 0.5, 0],
          [outer, 0.5],
        ]
      : [
          [bush.flange / 2, 0],
          [bush.flange / 2, 3],
          [outer, 3],
        ];
  return turned([
    [inner + 0.5, 0],
    ...foot,
    [outer, bush.length - 0.5],
    [outer - 0.5, bush.length],
    [inner + 0.5, bush.length],
    [inner, bush.length - 0.5],
    [inner, 0.5],
  ]);
}

function hexStandoff(length: number): Shape3D {
  return prism(hexagon(5.5), length).cut(cylinder(2.459, length + 2, [0, 0, -1]));
}

function roundSpacer(bore: number, outer: number, length: number): Shape3D {
  return turned([
    [bore / 2, 0],
    [outer / 2, 0],
    [outer / 2, length],
    [bore / 2, length],
  ]);
}

/** One-groove pulley for SPZ belts: 8.5 mm wide at the datum diameter, 34° to 80 mm and 38° above (ISO 4183). */
function vBeltPulley(datumDiameter: number, bore: ShaftDiameter): Shape3D {
  const datum = datumDiameter / 2;
  const slope = Math.tan(((datumDiameter > 80 ? 38 : 34) / 2 / 180) * Math.PI);
  const [above, below, width] = [2, 9, 16];
  const rim = datum + above;
  const topHalf = 4.25 + above * slope;
  const floorHalf = 4.25 - below * slope;
  const hub = bore * 0.9 + 4;
  const body = turned([
    [bore / 2, -width / 2 - 6],
    [hub, -width / 2 - 6],
    [hub, -3],
    [datum - below - 4, -3],
    [datum - below - 4, -width / 2],
    [rim, -width / 2],
    [rim, -topHalf],
    [datum - below, -floorHalf],
    [datum - below, floorHalf],
    [rim, topHalf],
    [rim, width / 2],
    [datum - below - 4, width / 2],
    [datum - below - 4, 3],
    [hub, 3],
    [hub, width / 2],
    [bore / 2, width / 2],
  ]);
  const [keyWidth, , hubDepth] = KEYWAYS[bore];
  const keyway = prism(drawRectangle(keyWidth, bore / 2 + hubDepth).translate(0, (bore / 2 + hubDepth) / 2), 60, -30);
  return body.cut(keyway);
}

/** DIN 319 form C: a ball with a flat and a threaded hole. */
function ballKnob(diameter: number, flat: number, thread: number): Shape3D {
  const r = diameter / 2;
  const z = Math.sqrt(r * r - (flat / 2) ** 2);
  const hole = thread / 2;
  return turnedDrawing(
    draw([hole, -z])
      .lineTo([flat / 2, -z])
      .threePointsArcTo([0, r], [r * Math.cos(Math.PI / 8), r * Math.sin(Math.PI / 8)])
      .lineTo([0, -z + thread * 1.6])
      .lineTo([hole, -z + thread * 1.6])
      .close(),
  );
}

/** DIN 6336: five lobes joined by hollows, on a round hub with a threaded hole. */
function starKnob(diameter: number): Shape3D {
  const lobes = 5;
  const lobe = diameter * 0.16;
  const hollow = diameter * 0.14;
  const lobeAt = diameter / 2 - lobe;
  // The hollows' centres lie where lobe and hollow circles just touch: |lobe centre - hollow centre| = lobe + hollow.
  const half = Math.PI / lobes;
  const reach = lobe + hollow;
  const hollowAt = lobeAt * Math.cos(half) + Math.sqrt(reach ** 2 - (lobeAt * Math.sin(half)) ** 2);
  const at = (radius: number, angle: number): [number, number] => [radius * Math.cos(angle), radius * Math.sin(angle)];
  const touch = (k: number, side: 1 | -1): [number, number] => {
    const [lx, ly] = at(lobeAt, 2 * half * k);
    const [hx, hy] = at(hollowAt, 2 * half * k + side * half);
    return [lx + ((hx - lx) * lobe) / reach, ly + ((hy - ly) * lobe) / reach];
  };
  const pen = draw(touch(0, -1));
  for (let k = 0; k < lobes; k++) {
    pen.threePointsArcTo(touch(k, 1), at(lobeAt + lobe, 2 * half * k));
    pen.threePointsArcTo(touch(k + 1, -1), at(hollowAt - hollow, 2 * half * k + half));
  }
  const height = diameter * 0.3;
  const grip = prism(pen.close(), height, diameter * 0.3).fillet(diameter * 0.04, (edge) => edge.parallelTo('XY'));
  const hub = cylinder(diameter * 0.45, diameter * 0.35);
  return grip.fuse(hub).cut(cylinder(diameter * 0.25, diameter * 0.4, [0, 0, -1]));
}
