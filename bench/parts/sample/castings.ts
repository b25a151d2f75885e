import { draw, drawRoundedRectangle, type Shape3D } from 'replicad';
import type { SamplePart } from './part.js';
import { bar, cylinder, drill, grid, onCircle, prism, slot, turned, type Point2 } from './solids.js';

/** EN 1092-1, PN 16, type 01: outer diameter, bolt circle, bolts, bolt hole, thickness, bore, mm. */
const FLANGES = {
  DN15: { outer: 95, circle: 65, bolts: 4, hole: 14, thickness: 14, bore: 22 },
  DN25: { outer: 115, circle: 85, bolts: 4, hole: 14, thickness: 16, bore: 34.5 },
  DN50: { outer: 165, circle: 125, bolts: 4, hole: 18, thickness: 20, bore: 61.5 },
  DN80: { outer: 200, circle: 160, bolts: 8, hole: 18, thickness: 20, bore: 90.5 },
} as const;
type Flange = keyof typeof FLANGES;

/** Deep groove ball bearings, ISO 15: bore, outer diameter, width, mm. */
const BEARINGS = {
  6000: { bore: 10, outer: 26, width: 8 },
  6201: { bore: 12, outer: 32, width: 10 },
  6204: { bore: 20, outer: 47, width: 14 },
} as const;
type Bearing = keyof typeof BEARINGS;

/** Pipe flanges and bearing housings. */
export const CASTINGS: readonly SamplePart[] = [
  ...(Object.keys(FLANGES) as Flange[]).map(
    (size): SamplePart => ({
      path: `flanges/EN1092-01-${size}-PN16.step`,
      build: () => plateFlange(size),
    }),
  ),
  { path: 'flanges/EN1092-05-DN25-PN16-blind.step', build: () => blindFlange('DN25') },
  { path: 'flanges/EN1092-05-DN50-PN16-blind.step', build: () => blindFlange('DN50') },
  { path: 'flanges/EN1092-11-DN50-PN16-weld-neck.step', build: () => weldNeckFlange('DN50', 60.3, 2.9, 45) },
  { path: 'from-suppliers/flange 2in.stl', build: () => plateFlange('DN50').rotate(90, [0, 0, 0], [1, 0, 0]) },

  ...([6000, 6201, 6204] as const).map(
    (bearing): SamplePart => ({
      path: `housings/pillow-block-${bearing}.step`,
      build: () => pillowBlock(bearing),
    }),
  ),
  ...([6201, 6204] as const).map(
    (bearing): SamplePart => ({
      path: `housings/flanged-housing-${bearing}.step`,
      build: () => flangedHousing(bearing),
    }),
  ),
];

function plateFlange(size: Flange): Shape3D {
  const { thickness, bore } = FLANGES[size];
  return blindFlange(size).cut(cylinder(bore, thickness + 2, [0, 0, -1]));
}

function blindFlange(size: Flange): Shape3D {
  const { outer, thickness } = FLANGES[size];
  return boltHoles(
    size,
    turned([
      [0, 0],
      [outer / 2 - 1, 0],
      [outer / 2, 1],
      [outer / 2, thickness],
      [0, thickness],
    ]),
  );
}

function weldNeckFlange(size: Flange, pipe: number, wall: number, height: number): Shape3D {
  const { outer, thickness } = FLANGES[size];
  const [inner, neck] = [pipe / 2 - wall, pipe / 2 + 6];
  return boltHoles(
    size,
    turned([
      [inner, 0],
      [outer / 2, 0],
      [outer / 2, thickness],
      [neck, thickness],
      [pipe / 2, height - 6],
      [pipe / 2, height],
      [inner, height],
    ]),
  );
}

function boltHoles(size: Flange, solid: Shape3D): Shape3D {
  const { circle, bolts, hole, thickness } = FLANGES[size];
  return drill(solid, hole, onCircle(circle, bolts, 180 / bolts), 0, thickness);
}

/** Plummer block with a seat for the bearing on one side, a smaller bore through, and two slots in the foot. */
function pillowBlock(bearing: Bearing): Shape3D {
  const { bore, outer, width } = BEARINGS[bearing];
  const body = outer / 2 + 5;
  const [depth, foot, footHeight, height] = [width + 5, body + 18, 7, outer * 0.5 + 9];
  const front = draw([-foot, 0])
    .hLineTo(foot)
    .vLineTo(footHeight)
    .hLineTo(body)
    .vLineTo(height)
    .threePointsArcTo([-body, height], [0, height + body])
    .vLineTo(footHeight)
    .hLineTo(-foot)
    .close();
  // Drawn in YZ and pulled along X: the shaft runs along X.
  let solid = bar(front, depth)
    .cut(cylinder(outer, width, [5, 0, height], [1, 0, 0]))
    .cut(cylinder(bore + 6, depth + 2, [-1, 0, height], [1, 0, 0]));
  for (const y of [-foot + 9, foot - 9]) {
    solid = solid.cut(
      prism(
        slot(10, 6.6)
          .rotate(90)
          .translate(depth / 2, y),
        footHeight + 2,
        -1,
      ),
    );
  }
  return solid;
}

/** Square flange with a round boss that holds the bearing. */
function flangedHousing(bearing: Bearing): Shape3D {
  const { bore, outer, width } = BEARINGS[bearing];
  const side = outer + 30;
  const holes: Point2[] = grid(2, 2, side - 16);
  const flange = drill(prism(drawRoundedRectangle(side, side, 8), 8), 6.6, holes, 0, 8);
  return flange
    .fuse(
      turned([
        [0, 8],
        [outer / 2 + 7, 8],
        [outer / 2 + 5, width + 6],
        [0, width + 6],
      ]),
    )
    .cut(cylinder(outer, width, [0, 0, 6]))
    .cut(cylinder(bore + 6, width + 20, [0, 0, -1]));
}
