import { drawRoundedRectangle, drawRectangle, type Drawing, type Shape3D } from 'replicad';
import { COARSE, type SamplePart } from './part.js';
import { bar, box, cutAll, cylinder, drill, grid, polygon, prism, slot, type Point2 } from './solids.js';

/** NEMA ICS 16 motor faces: side, pilot bore, hole pitch, hole, mm. */
const MOTORS = {
  NEMA17: { side: 42.3, pilot: 22.2, pitch: 31, hole: 3.4 },
  NEMA23: { side: 56.4, pilot: 38.3, pitch: 47.14, hole: 5.2 },
} as const;
type Motor = keyof typeof MOTORS;

/** Brackets, plates, motor mounts and hinges. */
export const SHEET_PARTS: readonly SamplePart[] = [
  ...(
    [
      [30, 20, 3, 2],
      [40, 20, 3, 2],
      [60, 40, 5, 4],
    ] as const
  ).map(
    ([leg, width, thickness, holes]): SamplePart => ({
      path: `brackets/L-bracket-${leg}x${leg}x${width}.step`,
      build: () => angleBracket(leg, width, thickness, holes),
    }),
  ),
  { path: 'brackets/L-bracket-60x60x40-gusset.step', build: gussetBracket },
  { path: 'brackets/switch-bracket-left.step', build: switchBracket },
  { path: 'brackets/switch-bracket-right.step', build: () => switchBracket().mirror('YZ') },
  { path: 'brackets/U-bracket-40x30.step', build: uBracket },
  {
    path: 'from-suppliers/winkel_60_vorschau.stl',
    build: () => angleBracket(60, 40, 5, 4).rotate(120, [0, 0, 0], [1, 1, 1]).translate(100, 20, -30),
    quality: COARSE,
  },
  { path: 'from-suppliers/BRK-60-40 rev B (inch).step', build: () => angleBracket(60, 40, 5, 4), unit: 'INCH' },

  { path: 'plates/plate-60x40x5-4-holes.step', build: () => plate([60, 40, 5], 5.5, grid(2, 2, 44, 24)) },
  { path: 'plates/plate-60x40x5-6-holes.step', build: () => plate([60, 40, 5], 5.5, grid(3, 2, 22, 24)) },
  { path: 'plates/plate-80x60x6-4-holes.step', build: () => plate([80, 60, 6], 6.6, grid(2, 2, 62, 42)) },
  { path: 'plates/plate-80x60x6-4-holes-bore.step', build: () => plate([80, 60, 6], 6.6, grid(2, 2, 62, 42), 30) },
  { path: 'plates/breadboard-75x75x10-M6.step', build: () => plate([75, 75, 10], 4.917, grid(3, 3, 25)) },
  { path: 'plates/plate-3x2in-quarter-inch-holes.step', build: inchPlate, unit: 'INCH' },

  { path: 'motor-mounts/NEMA17-plate.step', build: () => motorPlate('NEMA17', 4) },
  { path: 'motor-mounts/NEMA23-plate.step', build: () => motorPlate('NEMA23', 5) },
  { path: 'motor-mounts/NEMA17-angle.step', build: () => motorAngle('NEMA17', 4) },
  {
    path: 'motor-mounts/NEMA17-angle-export.3mf',
    build: () => motorAngle('NEMA17', 4).rotate(90, [0, 0, 0], [0, 0, 1]),
  },
  { path: 'motor-mounts/NEMA23-angle.step', build: () => motorAngle('NEMA23', 5) },

  ...([40, 60] as const).flatMap((length): SamplePart[] => [
    { path: `hinges/hinge-${length}-leaf-3-knuckles.step`, build: () => hingeLeaf(length, [0, 2, 4]) },
    { path: `hinges/hinge-${length}-leaf-2-knuckles.step`, build: () => hingeLeaf(length, [1, 3]) },
  ]),
];

/**
 * Outline of a bent angle in its cross-section, the corner at the origin, bent with an inside radius of one thickness.
 */
function angleOutline(legA: number, legB: number, thickness: number): Drawing {
  return polygon([
    [0, 0],
    [legA, 0],
    [legA, thickness],
    [thickness, thickness],
    [thickness, legB],
    [0, legB],
  ])
    .fillet(thickness, (corner) => corner.inBox([thickness / 2, thickness / 2], [thickness * 1.5, thickness * 1.5]))
    .fillet(thickness * 2, (corner) => corner.inBox([-1, -1], [thickness / 2, thickness / 2]));
}

/** Equal-leg bracket along X with `holes` holes in each leg. */
function angleBracket(leg: number, width: number, thickness: number, holes: 2 | 4): Shape3D {
  const hole = thickness + 1.5;
  const places: Point2[] = holes === 4 ? grid(2, 2, width * 0.5, leg * 0.35) : grid(1, 2, 1, leg * 0.42);
  const tools = places.flatMap(([x, along]) => {
    const at = leg * 0.6 + along;
    return [cylinder(hole, thickness + 2, [x, at, -1]), cylinder(hole, thickness + 2, [x, -1, at], [0, 1, 0])];
  });
  return cutAll(bar(angleOutline(leg, leg, thickness), width, -width / 2), tools);
}

function gussetBracket(): Shape3D {
  const rib = bar(
    polygon([
      [4, 4],
      [50, 4],
      [50, 6],
      [6, 50],
      [4, 50],
    ]),
    5,
    -2.5,
  );
  return angleBracket(60, 40, 5, 4).fuse(rib);
}

/** A bracket that differs from its mirror image: slot, holes and clipped corner lie to one side. */
function switchBracket(): Shape3D {
  const outline = polygon([
    [0, 0],
    [50, 0],
    [50, 22],
    [38, 34],
    [0, 34],
  ]);
  const upright = polygon([
    [0, 0],
    [22, 0],
    [22, 40],
    [8, 40],
    [0, 30],
  ])
    .sketchOnPlane('XZ')
    .extrude(-3) as Shape3D;
  return prism(outline, 3)
    .cut(prism(slot(14, 4.3).translate(36, 18), 5, -1))
    .cut(cylinder(4.3, 5, [8, 26, -1]))
    .fuse(upright)
    .cut(cylinder(6, 5, [13, -1, 26], [0, 1, 0]));
}

function uBracket(): Shape3D {
  const outline = polygon([
    [-20, 0],
    [20, 0],
    [20, 30],
    [17, 30],
    [17, 3],
    [-17, 3],
    [-17, 30],
    [-20, 30],
  ])
    .fillet(3, (corner) => corner.inBox([-18, 2], [18, 4]))
    .fillet(6, (corner) => corner.inBox([-21, -1], [21, 1]));
  return drill(
    bar(outline, 25, -12.5),
    5.5,
    [
      [0, -8],
      [0, 8],
    ],
    0,
    3,
  ).cut(cylinder(8.4, 60, [0, -30, 20], [0, 1, 0]));
}

/** A plate with rounded corners, holes of one size and, perhaps, a bore in the middle. */
function plate(
  [x, y, thickness]: readonly [number, number, number],
  hole: number,
  holes: readonly Point2[],
  bore?: number,
): Shape3D {
  const blank = prism(drawRoundedRectangle(x, y, 4), thickness);
  const drilled = drill(blank, hole, holes, 0, thickness);
  return bore === undefined ? drilled : drilled.cut(cylinder(bore, thickness + 2, [0, 0, -1]));
}

/** 3 in × 2 in × 1/4 in with 1/4 in holes on 2 in × 1 in centres. */
function inchPlate(): Shape3D {
  const inch = 25.4;
  return drill(box(3 * inch, 2 * inch, inch / 4), inch / 4, grid(2, 2, 2 * inch, inch), 0, inch / 4);
}

function motorPlate(motor: Motor, thickness: number): Shape3D {
  const { side } = MOTORS[motor];
  return motorFace(prism(drawRoundedRectangle(side, side, 4), thickness), motor, thickness);
}

/** Cuts a motor's pilot bore and four screw holes through a plate on z = 0, centred. */
function motorFace(solid: Shape3D, motor: Motor, thickness: number): Shape3D {
  const { pilot, pitch, hole } = MOTORS[motor];
  return drill(solid.cut(cylinder(pilot, thickness + 2, [0, 0, -1])), hole, grid(2, 2, pitch), 0, thickness);
}

/** A motor face with a foot at right angles that has two slots for adjustment. */
function motorAngle(motor: Motor, thickness: number): Shape3D {
  const { side } = MOTORS[motor];
  const depth = side * 0.8;
  const face = motorFace(prism(drawRectangle(side, side + thickness), thickness), motor, thickness);
  let foot = box(side, thickness, depth).translateY(-side / 2);
  for (const x of [-side * 0.3, side * 0.3]) {
    const opening = (
      slot(depth * 0.5, 4.5)
        .rotate(90)
        .sketchOnPlane('XZ')
        .extrude(thickness * 4) as Shape3D
    ).translate(x, -side / 2 + thickness * 2, depth * 0.6);
    foot = foot.cut(opening);
  }
  return face.fuse(foot);
}

/** Butt hinge leaf with counterbored screw holes; of five knuckle positions along X it has those listed. */
function hingeLeaf(length: number, knuckles: readonly number[]): Shape3D {
  const [thickness, knuckle, pin] = [2, 6, 3];
  const width = length * 0.5;
  const place = length / 5;
  let solid: Shape3D = box(length, width, thickness).translateY(width / 2 + knuckle / 2);
  for (const index of knuckles) {
    const from = -length / 2 + index * place + 0.1;
    const size = place - 0.2;
    solid = solid
      .fuse(box(size, knuckle / 2 + 1, thickness).translate(from + size / 2, knuckle / 4 + 0.5, 0))
      .fuse(cylinder(knuckle, size, [from, 0, knuckle / 2], [1, 0, 0]));
  }
  solid = solid.cut(cylinder(pin, length + 2, [-length / 2 - 1, 0, knuckle / 2], [1, 0, 0]));
  const holes = grid(length > 50 ? 3 : 2, 1, length / 3).map(([x]): Point2 => [x, knuckle / 2 + width * 0.55]);
  const screwHoles = holes.map(([x, y]) => cylinder(2.5, 4, [x, y, -1]));
  const counterbores = holes.map(([x, y]) => cylinder(4, 1, [x, y, thickness - 0.6]));
  return cutAll(cutAll(solid, screwHoles), counterbores);
}
