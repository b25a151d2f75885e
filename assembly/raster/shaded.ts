/** Renders a mesh as a small shaded picture with lines, from the side that shows most. */
import { mark, reserve, reset } from '../arena';
import { DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';
import { MOST_TRIANGLES, VERTEX, boundsOf } from '../mesh/check';
import { listEdges, listedBytes, triangleNormals } from './edge-list';
import { NOTHING, RANGE, VISIBLE_LINE, drawEdges, heightRanges } from './lines';
import { drawOutlines } from './outlines';
import { Keep, drawTriangles } from './triangles';
import { NARROW, clearSurface, fit, turn } from './view';

/**
 * Pixels per side at which sides are compared, and the factor by which another side must show more than the first to be
 * chosen.
 */
const PROBE: i32 = 96;
const WORTH_TURNING: f64 = 1.03;

/** Share of a side that is left free at each border. */
const MARGIN: f64 = 0.04;

/**
 * Colors under full light of triangles without a color, and of lines, sRGB: red, green, blue from the lowest byte up.
 */
const PLAIN: u32 = 196 | (208 << 8) | (222 << 16);
const INK: u64 = 38 | (44 << 16) | (54 << 32);
/** Color of lines on surfaces darker than this (luma, of 255), where dark lines would be invisible. */
const LIGHT_INK: u64 = 150 | (158 << 16) | (168 << 32);
const DARK: u32 = 84;

/** Lights: one at the camera and a weaker one from above left, in the camera's frame, and ambient light. */
const AMBIENT: f64 = 0.36, HEADLIGHT: f64 = 0.34, KEY_LIGHT: f64 = 0.36;
const KEY_X: f64 = -0.45, KEY_Y: f64 = 0.75, KEY_Z: f64 = 0.48;

/** Buffers, reserved once for all sides. */
let box: usize = 0, frame: usize = 0, turned: usize = 0, normals: usize = 0, turnedNormals: usize = 0;
let edges: usize = 0, ranges: usize = 0, depth: usize = 0, seen: usize = 0, lines: usize = 0;
let edgeCount: i32 = 0;

/**
 * positions: f32[3 * vertexCount], mm. indices: u32[3 * triangleCount]. cameras: f64[9 * count], each the rows right,
 * up and towards the camera, orthonormal: the first that shows most lines is taken. size: pixels a side. creaseCos:
 * cosine of the angle between normals from which an edge is a line. tints: u8[triangleCount][4], red, green and blue in
 * full light, sRGB, and not 0 where the triangle has a color of its own; 0 where none has. out: u8[size²][4], red,
 * green, blue and opacity; rows run downwards. Four drawn pixels become one. Returns a status.
 */
export function renderShaded(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, cameras: usize, count: i32, size: i32,
      creaseCos: f32, tints: usize,
  out: usize,
): i32 {
  const scratch = mark();
  let status = prepare(positions, vertexCount, indices, triangleCount, max(2 * size, PROBE), creaseCos);
  if (status == DONE) {
    const best = bestSide(positions, vertexCount, indices, triangleCount, cameras, count, creaseCos);
    status = draw(positions, vertexCount, indices, triangleCount, cameras + <usize>best * 72, 2 * size, creaseCos);
    if (status == DONE) shade(triangleCount, size, tints, out);
  }
  reset(scratch);
  return status;
}

/**
 * Writes the index of the camera that {@link renderShaded} would take, whatever the size: out: u32[1]; the rest as
 * there. Returns a status.
 */
export function fullestSide(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, cameras: usize, count: i32, creaseCos: f32,
  out: usize,
): i32 {
  const scratch = mark();
  const status = prepare(positions, vertexCount, indices, triangleCount, PROBE, creaseCos);
  if (status == DONE)
    store<u32>(out, bestSide(positions, vertexCount, indices, triangleCount, cameras, count, creaseCos));
  reset(scratch);
  return status;
}

function prepare(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, size: i32, creaseCos: f32,
): i32 {
  if (triangleCount > MOST_TRIANGLES) return OUT_OF_MEMORY;
  const pixels = <u32>(size * size);
  box = reserve(32); frame = reserve(32); turned = reserve(vertexCount * <u32>VERTEX);
  normals = reserve(triangleCount * 12); turnedNormals = reserve(triangleCount * 12);
  edges = reserve(listedBytes(triangleCount)); ranges = reserve(triangleCount * <u32>RANGE);
  depth = reserve(pixels << 2); seen = reserve(pixels << 2); lines = reserve(pixels);
  if (box == 0 || frame == 0 || turned == 0 || normals == 0 || turnedNormals == 0 || edges == 0 || ranges == 0
      || depth == 0 || seen == 0 || lines == 0) {
    return OUT_OF_MEMORY;
  }
  const status = boundsOf(positions, vertexCount, indices, triangleCount, box);
  if (status != DONE) return status;
  triangleNormals(positions, indices, triangleCount, normals);
  edgeCount = listEdges(positions, vertexCount, indices, triangleCount, normals, creaseCos, edges);
  return edgeCount < 0 ? -edgeCount : DONE;
}

function bestSide(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, cameras: usize, count: i32, creaseCos: f32,
): i32 {
  let best = 0, most: f64 = -1;
  for (let side = 0; side < count; side++) {
    if (draw(positions, vertexCount, indices, triangleCount, cameras + <usize>side * 72, PROBE, creaseCos) != DONE)
      continue;
    let visible = 0;
    for (let i: usize = 0; i < <usize>(PROBE * PROBE); i++) if (load<u8>(lines + i) == VISIBLE_LINE) visible++;
    if (most >= 0 && <f64>visible <= WORTH_TURNING * most) continue;
    best = side;
    most = visible;
  }
  return best;
}

function draw(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, camera: usize, size: i32, creaseCos: f32,
): i32 {
  turn(positions, vertexCount, camera, turned);
  const status = boundsOf(turned, vertexCount, indices, triangleCount, box);
  if (status != DONE) return status;
  if (fit(turned, vertexCount, box, MARGIN, frame, size) == 0) return NO_GEOMETRY;
  turn(normals, triangleCount, camera, turnedNormals);
  clearSurface(depth, seen, <usize>(size * size));
  memory.fill(lines, 0, <usize>(size * size));
  if (size <= NARROW) drawTriangles<i32>(turned, indices, triangleCount, 2, size, Keep.NEAREST, depth, seen, 0, 0, 0, 0);
  else drawTriangles<i64>(turned, indices, triangleCount, 2, size, Keep.NEAREST, depth, seen, 0, 0, 0, 0);
  heightRanges(turned, indices, triangleCount, ranges);
  drawEdges(turned, indices, turnedNormals, ranges, edges, edgeCount, creaseCos, seen, size, lines);
  drawOutlines(turned, indices, ranges, depth, seen, size, lines);
  return DONE;
}

/**
 * Means of four drawn pixels, colours weighed by their opacity; a line is as many drawn pixels wide as are averaged.
 */
function shade(triangleCount: u32, size: i32, tints: usize, out: usize): void {
  // The ranges are no longer needed; their memory is reused.
  const colors = ranges;
  for (let t: u32 = 0; t < triangleCount; t++) {
    const own = tints == 0 ? 0 : load<u32>(tints + (<usize>t << 2));
    store<u32>(colors + (<usize>t << 2), colorOf(turnedNormals + <usize>t * 12, own >>> 24 == 0 ? PLAIN : own));
  }
  const drawn = 2 * size;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const to = out + (<usize>(row * size + column) << 2);
      const at = 2 * row * drawn + 2 * column;
      const pair = seen + (<usize>at << 2), upper = load<u64>(pair), lower = load<u64>(pair + (<usize>drawn << 2));
      const above = row == 0 ? 0 : linesAt(at - drawn, column), middle = linesAt(at, column),
          below = linesAt(at + drawn, column);
      const isPlain = ((above | middle | below) & 0x020202) == 0 && upper == lower && <u32>upper == <u32>(upper >> 32);
      if (isPlain) {
        store<u32>(to, <u32>upper == NOTHING ? 0 : load<u32>(colors + (<usize><u32>upper << 2)) | 0xff000000);
        continue;
      }
      sums = 0; covered = 0;
      add(<u32>upper, (above | middle) & 0x0202, colors);
      add(<u32>(upper >> 32), (above | middle) & 0x020200, colors);
      add(<u32>lower, (middle | below) & 0x0202, colors);
      add(<u32>(lower >> 32), (middle | below) & 0x020200, colors);
      store<u32>(to, mean());
    }
  }
}

/** Lines at a pixel, before it and after it: three bytes. */
// @ts-ignore: decorator
@inline
function linesAt(at: i32, column: i32): u32 {
  return column == 0 ? <u32>load<u16>(lines + <usize>at) << 8 : load<u32>(lines + <usize>at - 1) & 0xffffff;
}

/** Sums of red, green and blue, 16 bits each, of how many pixels. */
let sums: u64 = 0;
let covered: u32 = 0;

function add(triangle: u32, ink: u32, colors: usize): void {
  if (ink != 0) {
    sums += triangle != NOTHING && load<u8>(colors + (<usize>triangle << 2), 3) != 0 ? LIGHT_INK : INK;
  } else if (triangle != NOTHING) {
    const color = <u64>load<u32>(colors + (<usize>triangle << 2));
    sums += (color & 255) | ((color & 0xff00) << 8) | ((color & 0xff0000) << 16);
  } else {
    return;
  }
  covered++;
}

function mean(): u32 {
  if (covered == 0) return 0;
  return part(0) | (part(16) << 8) | (part(32) << 16) | (((255 * covered + 2) >> 2) << 24);
}

// @ts-ignore: decorator
@inline
function part(shift: u64): u32 {
  return (2 * (<u32>(sums >> shift) & 0xffff) + covered) / (2 * covered);
}

/** Color of a triangle with this normal, on either side: red, green, blue, and 1 if lines on it must be light. */
function colorOf(normal: usize, tint: u32): u32 {
  const facing: f64 = load<f32>(normal, 8) < 0 ? -1 : 1;
  const x = facing * <f64>load<f32>(normal), y = -facing * <f64>load<f32>(normal, 4),
      z = facing * <f64>load<f32>(normal, 8);
  const key = max<f64>(0,
      (x * KEY_X + y * KEY_Y + z * KEY_Z) / sqrt<f64>(KEY_X * KEY_X + KEY_Y * KEY_Y + KEY_Z * KEY_Z));
  const light = min<f64>(1, AMBIENT + HEADLIGHT * z + KEY_LIGHT * key);
  const red = tint & 255, green = (tint >>> 8) & 255, blue = (tint >>> 16) & 255;
  const isDark = 299 * red + 587 * green + 114 * blue < 1000 * DARK;
  return <u32>(light * <f64>red) | (<u32>(light * <f64>green) << 8) | (<u32>(light * <f64>blue) << 16)
      | (isDark ? 1 << 24 : 0);
}
