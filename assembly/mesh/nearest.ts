/**
 * The nearest triangle to each of many points, among those with a matching normal: a traversal of the packed tree of
 * `tree.ts`. The tree holds no addresses, so it can be kept outside the core between calls.
 */
import { reserve } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { A, AB, AC, NORMAL, PACKET, PER_AB, PER_AC, PER_BC, dot, toEdge, triple } from './packet';
import {
  FIRST_CHILD, HIGH_X, HIGH_Y, HIGH_Z, LOW_X, LOW_Y, LOW_Z, MOST_WAITING, NODE,
  buildTree, lowestCount, nodeCount, nodes, order, packets, root,
} from './tree';

/** f32: point x y z, unit normal x y z (0: any triangle matches), largest distance. */
const QUERY: usize = 28;
/** f32 distance, u32 place in the tree's order of triangles. */
const ANSWER: usize = 8;
const NOTHING: u32 = 0xffffffff;

let nearestSquare: f32 = 0;
let nearestPlace: u32 = 0;

/**
 * Builds the tree of a mesh; triangles with a height below `thin` get the normal 0. To `out`: u32 address of the
 * packets, their bytes, address of the nodes, their bytes, number of the root, number of nodes that hold packets,
 * address of the order (u32 code, u32 triangle for each place). Returns a status.
 */
export function meshTree(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, thin: f32, out: usize,
): i32 {
  const status = buildTree(positions, vertexCount, indices, triangleCount);
  if (status != DONE) return status;
  for (let packet: u32 = 0; packet < (triangleCount + 3) >> 2; packet++)
    dropThinNormals(packets + <usize>packet * PACKET, thin);
  store<u32>(out, <u32>packets);
  store<u32>(out, ((triangleCount + 3) >> 2) * <u32>PACKET, 4);
  store<u32>(out, <u32>nodes, 8);
  store<u32>(out, nodeCount * <u32>NODE, 12);
  store<u32>(out, root, 16);
  store<u32>(out, lowestCount, 20);
  store<u32>(out, <u32>order, 24);
  return DONE;
}

/**
 * Sets the normals of a packet's thin triangles to 0. Then only their edges are tested, not their interiors, which are
 * at most `thin` away from an edge.
 */
function dropThinNormals(packet: usize, thin: f32): void {
  const ux = v128.load(packet, AB), uy = v128.load(packet, AB + 16), uz = v128.load(packet, AB + 32);
  const wx = v128.load(packet, AC), wy = v128.load(packet, AC + 16), wz = v128.load(packet, AC + 32);
  const nx = v128.load(packet, NORMAL), ny = v128.load(packet, NORMAL + 16), nz = v128.load(packet, NORMAL + 32);
  const vx = f32x4.sub(wx, ux), vy = f32x4.sub(wy, uy), vz = f32x4.sub(wz, uz);
  const longest = f32x4.max(f32x4.max(dot(ux, uy, uz, ux, uy, uz), dot(wx, wy, wz, wx, wy, wz)),
      dot(vx, vy, vz, vx, vy, vz));
  const isThick = f32x4.gt(triple(ux, uy, uz, wx, wy, wz, nx, ny, nz),
      f32x4.mul(f32x4.splat(thin), f32x4.sqrt(longest)));
  v128.store(packet, v128.and(nx, isThick), NORMAL);
  v128.store(packet, v128.and(ny, isThick), NORMAL + 16);
  v128.store(packet, v128.and(nz, isThick), NORMAL + 32);
}

/**
 * For each query: the nearest triangle that is nearer than the query's limit and whose normal is within
 * arccos(`cosLimit`) of the query's, in either direction; a normal of 0 matches any. To `out`: f32 distance (the limit
 * when there is none), u32 place in the tree's order (2³² − 1 when there is none). Returns a status.
 */
export function nearestTriangles(
  treePackets: usize, treeNodes: usize, treeRoot: u32, treeLowestCount: u32,
  queries: usize, count: u32, cosLimit: f32, out: usize,
): i32 {
  const waiting = reserve(MOST_WAITING * 8);
  const laneSquares = reserve(16);
  if (waiting == 0 || laneSquares == 0) return OUT_OF_MEMORY;
  let lastPacket: u32 = NOTHING;
  for (let i: usize = 0; i < <usize>count; i++) {
    const query = queries + i * QUERY;
    const x = f32x4.splat(load<f32>(query)), y = f32x4.splat(load<f32>(query, 4)), z = f32x4.splat(load<f32>(query, 8));
    const nx = load<f32>(query, 12), ny = load<f32>(query, 16), nz = load<f32>(query, 20);
    const limit = load<f32>(query, 24);
    const cos: f32 = nx == 0 && ny == 0 && nz == 0 ? -1 : cosLimit;
    nearestSquare = limit * limit;
    nearestPlace = NOTHING;
    // Neighbours in the list are often near each other, so the last packet gives a first bound.
    if (lastPacket != NOTHING) lookAtPacket(treePackets, lastPacket, x, y, z, nx, ny, nz, cos);
    store<u32>(waiting, treeRoot);
    store<f32>(waiting, 0, 4);
    let depth = waiting + 8;
    while (depth > waiting) {
      depth -= 8;
      if (load<f32>(depth, 4) >= nearestSquare) continue;
      const number = load<u32>(depth);
      const node = treeNodes + <usize>number * NODE;
      const zero = f32x4.splat(0);
      const dx = f32x4.pmax(zero,
          f32x4.pmax(f32x4.sub(v128.load(node, LOW_X), x), f32x4.sub(x, v128.load(node, HIGH_X))));
      const dy = f32x4.pmax(zero,
          f32x4.pmax(f32x4.sub(v128.load(node, LOW_Y), y), f32x4.sub(y, v128.load(node, HIGH_Y))));
      const dz = f32x4.pmax(zero,
          f32x4.pmax(f32x4.sub(v128.load(node, LOW_Z), z), f32x4.sub(z, v128.load(node, HIGH_Z))));
      const squares = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
      let near = i32x4.bitmask(f32x4.lt(squares, f32x4.splat(nearestSquare)));
      if (near == 0) continue;
      v128.store(laneSquares, squares);
      const firstChild = load<u32>(node, FIRST_CHILD);
      if (number < treeLowestCount) {
        for (; near != 0; near &= near - 1) {
          const lane = <u32>ctz(near);
          if (load<f32>(laneSquares + (<usize>lane << 2)) < nearestSquare)
            lookAtPacket(treePackets, firstChild + lane, x, y, z, nx, ny, nz, cos);
        }
      } else {
        // Farthest first, so that the nearest comes off next.
        const start = depth;
        for (; near != 0; near &= near - 1) {
          const lane = <u32>ctz(near);
          const distance = load<f32>(laneSquares + (<usize>lane << 2));
          let at = depth;
          for (; at > start && load<f32>(at - 8, 4) < distance; at -= 8) store<u64>(at, load<u64>(at - 8));
          store<u32>(at, firstChild + lane);
          store<f32>(at, distance, 4);
          depth += 8;
        }
      }
    }
    const answer = out + i * ANSWER;
    store<f32>(answer, nearestPlace == NOTHING ? limit : Mathf.sqrt(nearestSquare));
    store<u32>(answer, nearestPlace, 4);
    lastPacket = nearestPlace == NOTHING ? NOTHING : nearestPlace >> 2;
  }
  return DONE;
}

/** Takes the nearest triangle of a packet if it is nearer than the nearest so far and its normal matches. */
function lookAtPacket(
  treePackets: usize, number: u32, x: v128, y: v128, z: v128, px: f32, py: f32, pz: f32, cos: f32,
): void {
  const packet = treePackets + <usize>number * PACKET;
  const nx = v128.load(packet, NORMAL), ny = v128.load(packet, NORMAL + 16), nz = v128.load(packet, NORMAL + 32);
  const slant = f32x4.abs(dot(nx, ny, nz, f32x4.splat(px), f32x4.splat(py), f32x4.splat(pz)));
  const zero = f32x4.splat(0);
  const hasNone = f32x4.eq(dot(nx, ny, nz, nx, ny, nz), zero);
  const faces = v128.or(f32x4.ge(slant, f32x4.splat(cos)), hasNone);
  if (!v128.any_true(faces)) return;
  const dx = f32x4.sub(x, v128.load(packet, A)), dy = f32x4.sub(y, v128.load(packet, A + 16)),
      dz = f32x4.sub(z, v128.load(packet, A + 32));
  const ux = v128.load(packet, AB), uy = v128.load(packet, AB + 16), uz = v128.load(packet, AB + 32);
  const wx = v128.load(packet, AC), wy = v128.load(packet, AC + 16), wz = v128.load(packet, AC + 32);
  let squares = toEdge(dx, dy, dz, ux, uy, uz, v128.load(packet, PER_AB));
  squares = f32x4.pmin(squares, toEdge(dx, dy, dz, wx, wy, wz, v128.load(packet, PER_AC)));
  squares = f32x4.pmin(
    squares,
    toEdge(
      f32x4.sub(dx, ux), f32x4.sub(dy, uy), f32x4.sub(dz, uz),
      f32x4.sub(wx, ux), f32x4.sub(wy, uy), f32x4.sub(wz, uz), v128.load(packet, PER_BC),
    ),
  );
  const ofC = triple(ux, uy, uz, dx, dy, dz, nx, ny, nz);
  const ofB = triple(dx, dy, dz, wx, wy, wz, nx, ny, nz);
  const whole = triple(ux, uy, uz, wx, wy, wz, nx, ny, nz);
  const isInside = v128.and(
    v128.and(f32x4.ge(ofC, zero), f32x4.ge(ofB, zero)),
    v128.and(f32x4.le(f32x4.add(ofC, ofB), whole), f32x4.gt(whole, zero)),
  );
  const height = dot(dx, dy, dz, nx, ny, nz);
  squares = v128.bitselect(f32x4.pmin(squares, f32x4.mul(height, height)), squares, isInside);
  const nearer = i32x4.bitmask(v128.and(faces, f32x4.lt(squares, f32x4.splat(nearestSquare))));
  if (nearer == 0) return;
  if (nearer & 1) take(f32x4.extract_lane(squares, 0), 4 * number);
  if (nearer & 2) take(f32x4.extract_lane(squares, 1), 4 * number + 1);
  if (nearer & 4) take(f32x4.extract_lane(squares, 2), 4 * number + 2);
  if (nearer & 8) take(f32x4.extract_lane(squares, 3), 4 * number + 3);
}

// @ts-ignore: decorator
@inline function take(square: f32, place: u32): void {
  if (square < nearestSquare) {
    nearestSquare = square;
    nearestPlace = place;
  }
}
