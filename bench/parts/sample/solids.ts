import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  draw,
  drawCircle,
  drawPolysides,
  makeBaseBox,
  makeCompound,
  makeCylinder,
  setOC,
  type Drawing,
  type Shape3D,
} from 'replicad';
import loadOpenCascade from 'replicad-opencascadejs';

/** A point of a drawing, mm. */
export type Point2 = readonly [x: number, y: number];
/** A point or a direction in space, mm. */
export type Point3 = readonly [x: number, y: number, z: number];

let loading: Promise<void> | undefined;

/** Loads the solid modeller (OpenCASCADE as WebAssembly, one thread); about 0.3 s, once a process. */
export function loadModeller(): Promise<void> {
  loading ??= (async () => {
    const wasm = createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm');
    // The STEP writer prints statistics of every file to the console; they are suppressed.
    setOC(await loadOpenCascade({ wasmBinary: await readFile(wasm), print: () => undefined }));
  })();
  return loading;
}

/** A prism: `profile` in the XY plane at height `z`, drawn up by `height`, mm. */
export function prism(profile: Drawing, height: number, z = 0): Shape3D {
  return profile.sketchOnPlane('XY', z).extrude(height) as Shape3D;
}

/** A prism along X: `profile` in the YZ plane, drawn from x = `from` by `length`, mm. */
export function bar(profile: Drawing, length: number, from = 0): Shape3D {
  return profile.sketchOnPlane('YZ', from).extrude(length) as Shape3D;
}

/** A turned part: the closed polygon of (radius, z) points, mm, about the Z axis. */
export function turned(points: readonly Point2[]): Shape3D {
  return turnedDrawing(polygon(points));
}

/** A turned part from a drawing of (radius, z), about the Z axis. */
export function turnedDrawing(profile: Drawing): Shape3D {
  return profile.sketchOnPlane('XZ').revolve() as Shape3D;
}

/** A cylinder that starts at `at` and runs along `axis` for `height`, mm; `axis` is Z by default. */
export function cylinder(diameter: number, height: number, at: Point3 = [0, 0, 0], axis: Point3 = [0, 0, 1]): Shape3D {
  return makeCylinder(diameter / 2, height, [...at], [...axis]);
}

/** A box centred on the Z axis that stands on z = `z`, mm. */
export function box(sizeX: number, sizeY: number, sizeZ: number, z = 0): Shape3D {
  return makeBaseBox(sizeX, sizeY, sizeZ).translateZ(z);
}

/** Through holes along Z of one diameter at the given places. */
export function drill(
  solid: Shape3D,
  diameter: number,
  places: readonly Point2[],
  bottom: number,
  top: number,
): Shape3D {
  return cutAll(
    solid,
    places.map(([x, y]) => cylinder(diameter, top - bottom + 2, [x, y, bottom - 1])),
  );
}

/** Takes tools that do not touch one another out of a solid; one cut with all of them costs half of one cut each. */
export function cutAll(solid: Shape3D, tools: readonly Shape3D[]): Shape3D {
  return solid.cut(makeCompound([...tools]) as Shape3D);
}

/** A closed polygon, mm. */
export function polygon(points: readonly Point2[]): Drawing {
  const [first, ...rest] = points;
  const pen = draw([...first]);
  for (const [x, y] of rest) pen.lineTo([x, y]);
  return pen.close();
}

/** A regular hexagon by its width across flats, mm. */
export function hexagon(acrossFlats: number): Drawing {
  return drawPolysides(acrossFlats / Math.sqrt(3), 6);
}

/** A slot along X with round ends; `length` over all, mm. */
export function slot(length: number, width: number): Drawing {
  const r = width / 2;
  const a = length / 2 - r;
  return draw([-a, -r])
    .hLineTo(a)
    .threePointsArcTo([a, r], [a + r, 0])
    .hLineTo(-a)
    .threePointsArcTo([-a, -r], [-a - r, 0])
    .close();
}

/** A circle with its centre at `x`, `y`, mm. */
export function circle(diameter: number, x = 0, y = 0): Drawing {
  return drawCircle(diameter / 2).translate(x, y);
}

/** `count` places on a circle of `diameter`, mm; the first at `startDegrees` from the X axis. */
export function onCircle(diameter: number, count: number, startDegrees = 0): Point2[] {
  return Array.from({ length: count }, (_, i): Point2 => {
    const angle = (startDegrees * Math.PI) / 180 + (2 * Math.PI * i) / count;
    return [(diameter / 2) * Math.cos(angle), (diameter / 2) * Math.sin(angle)];
  });
}

/** The places of a grid centred on the origin, mm. */
export function grid(columns: number, rows: number, pitchX: number, pitchY = pitchX): Point2[] {
  const places: Point2[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      places.push([(column - (columns - 1) / 2) * pitchX, (row - (rows - 1) / 2) * pitchY]);
    }
  }
  return places;
}
