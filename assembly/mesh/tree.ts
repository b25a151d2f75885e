/**
 * The distance from a point to a triangle mesh, by a packed tree of boxes: triangles sorted along a Morton curve, four
 * to a packet, four packets or nodes to a node, so that one SIMD step looks at four. Bulk loading as of R-trees (Kamel,
 * Faloutsos 1993): no recursion, time and memory bounded by the number of triangles whatever their shapes.
 *
 * Distances are exact up to single precision: about a millionth of the size of mesh and point.
 */
import { reserve } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { MOST_TRIANGLES, VERTEX, boundsOf } from './check';
import { A, AB, AC, PACKET, putTriangle, squareToPacket } from './packet';

// A node: the boxes of its four children by coordinate, f32x4 each, and u32 number of the first child.
export const LOW_X: usize = 0;
export const LOW_Y: usize = 16;
export const LOW_Z: usize = 32;
export const HIGH_X: usize = 48;
export const HIGH_Y: usize = 64;
export const HIGH_Z: usize = 80;
export const FIRST_CHILD: usize = 96;
export const NODE: usize = 112;

/** Bits of a Morton code for each axis, and how many the sort takes at a time. */
const AXIS_BITS: u32 = 10;
const DIGIT_BITS: u32 = 10;
const CELLS: u32 = 1 << AXIS_BITS;
/** Size of the stack of pending nodes: a tree of 2³² triangles has 15 levels, each with at most three pending nodes. */
export const MOST_WAITING: u32 = 64;

export let packets: usize = 0;
export let nodes: usize = 0;
export let root: u32 = 0;
/** Nodes below this number hold packets. */
export let lowestCount: u32 = 0;
/** Order of the triangles in the packets: u32 code, u32 triangle each. */
export let order: usize = 0;
/** Number of nodes. */
export let nodeCount: u32 = 0;
let waiting: usize = 0;
/** The squared distances of four children: scratch of one step. */
let laneSquares: usize = 0;
/** The packet with the nearest triangle of the last point: it gives the first bound for the next one. */
let lastPacket: u32 = 0;

export function buildTree(positions: usize, vertexCount: u32, indices: usize, triangleCount: u32): i32 {
  const box = reserve(32);
  if (box == 0) return OUT_OF_MEMORY;
  const status = boundsOf(positions, vertexCount, indices, triangleCount, box);
  if (status != DONE) return status;
  order = sortTriangles(positions, indices, triangleCount, box);
  const packetCount = (triangleCount + 3) >> 2;
  nodeCount = 0;
  for (let level = packetCount; ; ) {
    level = (level + 3) >> 2;
    nodeCount += level;
    if (level == 1) break;
  }
  packets = triangleCount > MOST_TRIANGLES ? 0 : reserve(packetCount * <u32>PACKET);
  nodes = reserve(nodeCount * <u32>NODE);
  waiting = reserve(MOST_WAITING * 8);
  laneSquares = reserve(16);
  if (order == 0 || packets == 0 || nodes == 0 || waiting == 0 || laneSquares == 0) return OUT_OF_MEMORY;

  for (let packet: u32 = 0; packet < packetCount; packet++) {
    for (let lane: u32 = 0; lane < 4; lane++) {
      // The last packet repeats its last triangle.
      const triangle = load<u32>(order + ((<usize>min(packet * 4 + lane, triangleCount - 1)) << 3), 4);
      putTriangle(positions, indices + <usize>triangle * 12, packets + <usize>packet * PACKET + ((<usize>lane) << 2));
    }
  }
  lowestCount = (packetCount + 3) >> 2;
  lastPacket = 0;
  let firstChild: u32 = 0,
    childCount = packetCount,
    made: u32 = 0;
  for (let isLowest = true; ; isLowest = false) {
    const first = made;
    const count = (childCount + 3) >> 2;
    for (let i: u32 = 0; i < count; i++) {
      putNode(nodes + <usize>made * NODE, firstChild + 4 * i, min(4, childCount - 4 * i), isLowest);
      made++;
    }
    if (count == 1) break;
    firstChild = first;
    childCount = count;
  }
  root = made - 1;
  return DONE;
}

/** Square of the distance from the point to the nearest triangle. */
export function squareToMesh(px: f32, py: f32, pz: f32): f32 {
  const x = f32x4.splat(px),
    y = f32x4.splat(py),
    z = f32x4.splat(pz);
  const zero = f32x4.splat(0);
  let least = squareToPacket(packets + <usize>lastPacket * PACKET, px, py, pz);
  let depth: usize = waiting;
  store<u32>(depth, root);
  store<f32>(depth, 0, 4);
  depth += 8;
  while (depth > waiting) {
    depth -= 8;
    if (load<f32>(depth, 4) >= least) continue;
    const number = load<u32>(depth);
    const node = nodes + <usize>number * NODE;
    const dx = f32x4.pmax(
      zero,
      f32x4.pmax(f32x4.sub(v128.load(node, LOW_X), x), f32x4.sub(x, v128.load(node, HIGH_X))),
    );
    const dy = f32x4.pmax(
      zero,
      f32x4.pmax(f32x4.sub(v128.load(node, LOW_Y), y), f32x4.sub(y, v128.load(node, HIGH_Y))),
    );
    const dz = f32x4.pmax(
      zero,
      f32x4.pmax(f32x4.sub(v128.load(node, LOW_Z), z), f32x4.sub(z, v128.load(node, HIGH_Z))),
    );
    const squares = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
    let near = i32x4.bitmask(f32x4.lt(squares, f32x4.splat(least)));
    if (near == 0) continue;
    const firstChild = load<u32>(node, FIRST_CHILD);
    v128.store(laneSquares, squares);
    if (number < lowestCount) {
      // Nearest packet first: it often rules out the rest.
      while (near != 0) {
        const lane = nearestLane(near);
        near &= ~(1 << lane);
        if (load<f32>(laneSquares + ((<usize>lane) << 2)) >= least) break;
        const found = squareToPacket(packets + <usize>(firstChild + lane) * PACKET, px, py, pz);
        if (found < least) {
          least = found;
          lastPacket = firstChild + lane;
        }
      }
    } else {
      // Farthest first, so that the nearest comes off next.
      const start = depth;
      while (near != 0) {
        const lane = ctz(near);
        near &= near - 1;
        const distance = load<f32>(laneSquares + ((<usize>lane) << 2));
        let at = depth;
        for (; at > start && load<f32>(at - 8, 4) < distance; at -= 8) store<u64>(at, load<u64>(at - 8));
        store<u32>(at, firstChild + <u32>lane);
        store<f32>(at, distance, 4);
        depth += 8;
      }
    }
  }
  return least;
}

/** The lane of the mask with the smallest squared distance. */
function nearestLane(mask: i32): u32 {
  let found: u32 = 0;
  let least: f32 = Infinity;
  for (let rest = mask; rest != 0; rest &= rest - 1) {
    const lane = <u32>ctz(rest);
    const distance = load<f32>(laneSquares + ((<usize>lane) << 2));
    if (distance <= least) {
      least = distance;
      found = lane;
    }
  }
  return found;
}

/** Order of the triangles along a Morton curve through their middles: u32 code, u32 triangle each; 0 without memory. */
function sortTriangles(positions: usize, indices: usize, triangleCount: u32, box: usize): usize {
  if (triangleCount > MOST_TRIANGLES) return 0;
  let from: usize = reserve(triangleCount * 8),
    to: usize = reserve(triangleCount * 8);
  const counts = reserve(4 << DIGIT_BITS);
  if (from == 0 || to == 0 || counts == 0) return 0;
  for (let triangle: u32 = 0; triangle < triangleCount; triangle++) {
    const at = indices + <usize>triangle * 12;
    let code: u32 = 0;
    for (let axis: usize = 0; axis < 3; axis++) {
      const offset = axis << 2;
      const low = <f64>load<f32>(box + offset),
        extent = <f64>load<f32>(box + offset, 16) - low;
      let sum: f64 = 0;
      for (let corner: usize = 0; corner < 12; corner += 4)
        sum += <f64>load<f32>(positions + <usize>load<u32>(at + corner) * VERTEX + offset);
      const cell: u32 = extent > 0 ? min(<u32>(((sum / 3 - low) / extent) * CELLS), CELLS - 1) : 0;
      code |= spread(cell) << (<u32>axis);
    }
    store<u32>(from + ((<usize>triangle) << 3), code);
    store<u32>(from + ((<usize>triangle) << 3), triangle, 4);
  }
  const end = (<usize>triangleCount) << 3;
  for (let shift: u32 = 0; shift < 3 * AXIS_BITS; shift += DIGIT_BITS) {
    memory.fill(counts, 0, 4 << DIGIT_BITS);
    for (let at: usize = 0; at < end; at += 8) {
      const slot = counts + ((<usize>((load<u32>(from + at) >> shift) & ((1 << DIGIT_BITS) - 1))) << 2);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let before: u32 = 0;
    for (let slot = counts; slot < counts + (4 << DIGIT_BITS); slot += 4) {
      const count = load<u32>(slot);
      store<u32>(slot, before);
      before += count;
    }
    for (let at: usize = 0; at < end; at += 8) {
      const entry = load<u64>(from + at);
      const slot = counts + ((<usize>((<u32>entry >> shift) & ((1 << DIGIT_BITS) - 1))) << 2);
      const place = load<u32>(slot);
      store<u32>(slot, place + 1);
      store<u64>(to + ((<usize>place) << 3), entry);
    }
    const swapped = from;
    from = to;
    to = swapped;
  }
  return from;
}

/** Spreads the ten bits of a number to every third bit. */
function spread(bits: u32): u32 {
  let x = bits;
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/** Writes a node over up to four packets or nodes; lanes without a child get a box at infinite distance. */
function putNode(node: usize, firstChild: u32, count: u32, isLowest: bool): void {
  store<u32>(node, firstChild, FIRST_CHILD);
  for (let lane: u32 = 0; lane < 4; lane++) {
    const to = node + ((<usize>lane) << 2);
    for (let axis: usize = 0; axis < 48; axis += 16) {
      let low: f32 = f32.MAX_VALUE,
        high: f32 = -f32.MAX_VALUE;
      if (lane < count && isLowest) {
        const packet = packets + <usize>(firstChild + lane) * PACKET + axis;
        for (let k: usize = 0; k < 16; k += 4) {
          const a = load<f32>(packet + k, A);
          const b = a + load<f32>(packet + k, AB),
            c = a + load<f32>(packet + k, AC);
          low = min(low, min(a, min(b, c)));
          high = max(high, max(a, max(b, c)));
        }
      } else if (lane < count) {
        const child = nodes + <usize>(firstChild + lane) * NODE + axis;
        for (let k: usize = 0; k < 16; k += 4) {
          low = min(low, load<f32>(child + k, LOW_X));
          high = max(high, load<f32>(child + k, HIGH_X));
        }
      }
      store<f32>(to + axis, low, LOW_X);
      store<f32>(to + axis, high, HIGH_X);
    }
  }
}
