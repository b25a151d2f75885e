import type { Shape3D } from 'replicad';
import type { SamplePart } from './part.js';
import { COARSE } from './part.js';
import { circle, cutAll, cylinder, hexagon, prism, slot, turned } from './solids.js';

/** Metric thread sizes that the sample library uses. */
type Thread = 'M3' | 'M4' | 'M5' | 'M6' | 'M8';

/**
 * Nominal and minor diameter of the coarse thread (ISO 724), mm. Threads are drawn as plain cylinders, as CAD vendors
 * do.
 */
const THREADS: Readonly<Record<Thread, { nominal: number; minor: number }>> = {
  M3: { nominal: 3, minor: 2.459 },
  M4: { nominal: 4, minor: 3.242 },
  M5: { nominal: 5, minor: 4.134 },
  M6: { nominal: 6, minor: 4.917 },
  M8: { nominal: 8, minor: 6.647 },
};

/** ISO 4762: head diameter, head height, socket across flats, socket depth, mm. */
const CAP_HEADS: Readonly<Record<Thread, { head: number; height: number; socket: number; depth: number }>> = {
  M3: { head: 5.5, height: 3, socket: 2.5, depth: 1.3 },
  M4: { head: 7, height: 4, socket: 3, depth: 2 },
  M5: { head: 8.5, height: 5, socket: 4, depth: 2.5 },
  M6: { head: 10, height: 6, socket: 5, depth: 3 },
  M8: { head: 13, height: 8, socket: 6, depth: 4 },
};

/** ISO 4017 (bolts) and ISO 4032 (nuts): width across flats, head height, nut height, mm. */
const HEXAGONS: Readonly<Record<Thread, { flats: number; head: number; nut: number }>> = {
  M3: { flats: 5.5, head: 2, nut: 2.4 },
  M4: { flats: 7, head: 2.8, nut: 3.2 },
  M5: { flats: 8, head: 3.5, nut: 4.7 },
  M6: { flats: 10, head: 4, nut: 5.2 },
  M8: { flats: 13, head: 5.3, nut: 6.8 },
};

/** ISO 7089: hole, outer diameter, thickness, mm. */
const WASHERS: Readonly<Record<Thread, readonly [hole: number, outer: number, thickness: number]>> = {
  M3: [3.2, 7, 0.5],
  M4: [4.3, 9, 0.8],
  M5: [5.3, 10, 1],
  M6: [6.4, 12, 1.6],
  M8: [8.4, 16, 1.6],
};

/** DIN 471 by shaft diameter: thickness, inner diameter, lug width, ring width, lug hole, mm. */
const CIRCLIPS = [
  { shaft: 10, thickness: 1, inner: 9.3, lug: 3.3, ring: 1.8, hole: 1.5 },
  { shaft: 15, thickness: 1, inner: 13.8, lug: 3.6, ring: 2.2, hole: 1.7 },
  { shaft: 25, thickness: 1.2, inner: 23.2, lug: 4.4, ring: 3, hole: 2 },
] as const;

const CAP_SCREWS: readonly (readonly [Thread, number])[] = [
  ['M3', 8],
  ['M3', 12],
  ['M3', 20],
  ['M4', 12],
  ['M4', 20],
  ['M5', 12],
  ['M5', 16],
  ['M5', 20],
  ['M5', 30],
  ['M6', 20],
  ['M6', 40],
  ['M8', 25],
  ['M8', 40],
];

/** Screws, bolts, nuts, washers, circlips, dowel pins and parallel keys. */
export const FASTENERS: readonly SamplePart[] = [
  ...CAP_SCREWS.map(
    ([thread, length]): SamplePart => ({
      path: `fasteners/cap-screws/ISO4762-${thread}x${length}.step`,
      build: () => capScrew(thread, length),
    }),
  ),
  ...(
    [
      ['M5', 20],
      ['M6', 25],
      ['M8', 30],
    ] as const
  ).map(
    ([thread, length]): SamplePart => ({
      path: `fasteners/hex-bolts/ISO4017-${thread}x${length}.step`,
      build: () => hexBolt(thread, length),
    }),
  ),
  ...(['M3', 'M4', 'M5', 'M6', 'M8'] as const).map(
    (thread): SamplePart => ({
      path: `fasteners/nuts/ISO4032-${thread}.${thread === 'M4' ? 'stl' : 'step'}`,
      build: () => hexNut(thread),
    }),
  ),
  ...(['M3', 'M4', 'M5', 'M6', 'M8'] as const).map(
    (thread): SamplePart => ({
      path: `fasteners/washers/ISO7089-${thread}.${thread === 'M6' ? 'stl' : 'step'}`,
      ascii: true,
      build: () => washer(thread),
    }),
  ),
  ...CIRCLIPS.map(
    (size): SamplePart => ({
      path: `fasteners/circlips/DIN471-${size.shaft}.step`,
      build: () => circlip(size),
    }),
  ),
  { path: 'fasteners/pins/ISO8734-4x20.step', build: () => dowelPin(4, 20) },
  { path: 'fasteners/pins/ISO8734-6x30.step', build: () => dowelPin(6, 30) },
  ...(
    [
      [5, 5, 25],
      [6, 6, 32],
      [8, 7, 40],
    ] as const
  ).map(
    ([width, height, length]): SamplePart => ({
      path: `fasteners/keys/DIN6885A-${width}x${height}x${length}.step`,
      build: () => prism(slot(length, width), height).chamfer(0.3, (edge) => edge.parallelTo('XY')),
    }),
  ),
  // The same screws and bracket as suppliers return them: renamed, turned, coarser, in other formats.
  {
    path: 'from-suppliers/schraube_0815.step',
    build: () => capScrew('M5', 20).rotate(90, [0, 0, 0], [0, 1, 0]).translate(12, -40, 7),
  },
  {
    path: 'from-suppliers/socket head screw M8 40.stl',
    build: () => capScrew('M8', 40).rotate(35, [0, 0, 0], [1, 0.4, 0]),
    quality: COARSE,
  },
];

/** Socket head cap screw; the bearing surface lies at z = 0, the shank points down. */
export function capScrew(thread: Thread, length: number): Shape3D {
  const { head, height, socket, depth } = CAP_HEADS[thread];
  const edge = head * 0.06;
  const body = turned([
    ...shank(thread, length),
    [head / 2, 0],
    [head / 2, height - edge],
    [head / 2 - edge, height],
    [0, height],
  ]);
  return body.cut(prism(hexagon(socket), depth + 1, height - depth));
}

function hexBolt(thread: Thread, length: number): Shape3D {
  const { flats, head } = HEXAGONS[thread];
  const corner = flats / Math.sqrt(3) + 0.01;
  const rounding = turned([
    [0, 0],
    [corner, 0],
    [corner, head - (corner - flats / 2) * 0.6],
    [flats / 2 - 0.1, head],
    [0, head],
  ]);
  return prism(hexagon(flats), head)
    .intersect(rounding)
    .fuse(turned([...shank(thread, length), [0, 0]])) as Shape3D;
}

function hexNut(thread: Thread): Shape3D {
  const { flats, nut } = HEXAGONS[thread];
  const corner = flats / Math.sqrt(3) + 0.01;
  const fall = (corner - flats / 2) * 0.6;
  const rounding = turned([
    [0, 0],
    [flats / 2 - 0.1, 0],
    [corner, fall],
    [corner, nut - fall],
    [flats / 2 - 0.1, nut],
    [0, nut],
  ]);
  const body = prism(hexagon(flats), nut).intersect(rounding) as Shape3D;
  return body.cut(cylinder(THREADS[thread].minor, nut + 2, [0, 0, -1]));
}

function washer(thread: Thread): Shape3D {
  const [hole, outer, thickness] = WASHERS[thread];
  return prism(circle(outer).cut(circle(hole)), thickness);
}

/** External circlip: an eccentric ring, open at the lugs. */
function circlip(size: (typeof CIRCLIPS)[number]): Shape3D {
  const { thickness, inner, lug, ring, hole } = size;
  const lugAt = inner / 2 + lug / 2 - 0.2;
  const lugAngle = Math.asin((lug / 2 + 0.5) / lugAt);
  const [x, y] = [lugAt * Math.cos(lugAngle), lugAt * Math.sin(lugAngle)];
  // The ring is widest opposite the gap and narrows to 60 % of that at the lugs.
  const outer = inner + ring * 1.6;
  let solid: Shape3D = cylinder(outer, thickness, [-ring * 0.2, 0, 0]);
  for (const side of [1, -1]) solid = solid.fuse(cylinder(lug, thickness, [x, side * y, 0]));
  const lugHoles = [1, -1].map((side) => cylinder(hole, thickness + 2, [x, side * y, -1]));
  return cutAll(solid, [cylinder(inner, thickness + 2, [0, 0, -1]), ...lugHoles]).cut(
    prism(slot(inner * 2, 0.9).translate(inner * 1.2, 0), thickness + 2, -1),
  );
}

/** Hardened dowel pin with a chamfered and a rounded end. */
function dowelPin(diameter: number, length: number): Shape3D {
  const r = diameter / 2;
  const end = diameter * 0.12;
  return turned([
    [0, 0],
    [r - end, 0],
    [r, end * 2],
    [r, length - end],
    [r - end * 1.5, length],
    [0, length],
  ]);
}

/** (radius, z) of a threaded shank with a chamfered tip, from the axis at its end up to the head. */
function shank(thread: Thread, length: number): [number, number][] {
  const { nominal, minor } = THREADS[thread];
  const chamfer = (nominal - minor) / 2;
  return [
    [0, -length],
    [minor / 2, -length],
    [nominal / 2, -length + chamfer],
    [nominal / 2, 0],
  ];
}
