import type { Drawing, Shape3D } from 'replicad';
import type { SamplePart } from './part.js';
import { circle, polygon, prism, type Point2 } from './solids.js';

/** Cut lengths of extruded and rolled profiles. */
export const PROFILES: readonly SamplePart[] = [
  ...[50, 100, 200].map(
    (length): SamplePart => ({
      path: `profiles/T-slot-2020-${length}.step`,
      build: () => prism(slottedProfile(), length),
    }),
  ),
  { path: 'profiles/U-30x20x2-100.step', build: () => prism(channel(30, 20, 2), 100) },
  { path: 'profiles/U-40x20x2-100.step', build: () => prism(channel(40, 20, 2), 100) },
  { path: 'profiles/L-EN10056-30x30x3-100.step', build: () => prism(rolledAngle(30, 3, 5, 2.5), 100) },
  { path: 'profiles/tube-30x20x2-100.step', build: () => tube(30, 20, 2, 100) },
];

/** 20 × 20 mm aluminium profile with four T-slots of 6 mm and a core hole of 4.2 mm. */
function slottedProfile(): Drawing {
  // One side from its left corner, seen with the side on top; the other three are turned copies.
  const side: Point2[] = [
    [-10, 10],
    [-3.1, 10],
    [-3.1, 8.2],
    [-5.5, 8.2],
    [-5.5, 6.6],
    [-2.9, 4],
    [2.9, 4],
    [5.5, 6.6],
    [5.5, 8.2],
    [3.1, 8.2],
    [3.1, 10],
  ];
  const outline: Point2[] = [];
  for (let quarter = 0; quarter < 4; quarter++) {
    for (const [x, y] of side) outline.push(turnClockwise([x, y], quarter));
  }
  return polygon(outline).cut(circle(4.2));
}

function turnClockwise([x, y]: Point2, quarters: number): Point2 {
  return quarters === 0 ? [x, y] : turnClockwise([y, -x], quarters - 1);
}

function channel(width: number, height: number, wall: number): Drawing {
  const half = width / 2;
  return polygon([
    [-half, 0],
    [half, 0],
    [half, height],
    [half - wall, height],
    [half - wall, wall],
    [-half + wall, wall],
    [-half + wall, height],
    [-half, height],
  ]);
}

/** EN 10056-1 equal angle: root radius inside, toe radius at the ends of the legs. */
function rolledAngle(leg: number, thickness: number, rootRadius: number, toeRadius: number): Drawing {
  return polygon([
    [0, 0],
    [leg, 0],
    [leg, thickness],
    [thickness, thickness],
    [thickness, leg],
    [0, leg],
  ])
    .fillet(rootRadius, (corner) => corner.inBox([thickness / 2, thickness / 2], [thickness * 2, thickness * 2]))
    .fillet(toeRadius, (corner) => corner.inBox([leg - 1, thickness / 2], [leg + 1, thickness * 2]))
    .fillet(toeRadius, (corner) => corner.inBox([thickness / 2, leg - 1], [thickness * 2, leg + 1]));
}

function tube(width: number, height: number, wall: number, length: number): Shape3D {
  const half: Point2 = [width / 2, height / 2];
  const outer = polygon([
    [-half[0], -half[1]],
    [half[0], -half[1]],
    [half[0], half[1]],
    [-half[0], half[1]],
  ]);
  const [x, y] = [half[0] - wall, half[1] - wall];
  return prism(
    outer.cut(
      polygon([
        [-x, -y],
        [x, -y],
        [x, y],
        [-x, y],
      ]),
    ),
    length,
  );
}
