import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { VERTEX } from './check';

/**
 * Gives each vertex the number of the first vertex at the same position (equal bits; 0 and −0 are equal).
 * out: u32[vertexCount]. Open addressing, at most half full. Returns a status.
 */
export function weldByPlace(positions: usize, vertexCount: u32, out: usize): i32 {
  const scratch = mark();
  let capacity: u32 = 16;
  while (capacity < 2 * vertexCount) capacity <<= 1;
  const table = reserve(capacity << 2);
  if (table == 0) return OUT_OF_MEMORY;
  // Slots hold vertex + 1; 0 is free.
  memory.fill(table, 0, <usize>capacity << 2);
  for (let vertex: u32 = 0; vertex < vertexCount; vertex++) {
    const at = positions + <usize>vertex * VERTEX;
    const x = load<f32>(at) + 0, y = load<f32>(at, 4) + 0, z = load<f32>(at, 8) + 0;
    let slot = hashOf(x, y, z) & (capacity - 1);
    let found = vertex;
    for (;;) {
      const held = load<u32>(table + (<usize>slot << 2));
      if (held == 0) {
        store<u32>(table + (<usize>slot << 2), vertex + 1);
        break;
      }
      const other = positions + <usize>(held - 1) * VERTEX;
      if (load<f32>(other) == x && load<f32>(other, 4) == y && load<f32>(other, 8) == z) {
        found = held - 1;
        break;
      }
      slot = (slot + 1) & (capacity - 1);
    }
    store<u32>(out + (<usize>vertex << 2), found);
  }
  reset(scratch);
  return DONE;
}

/** Mixes the bits of three numbers (the finaliser of MurmurHash3, Appleby 2011, after each). */
function hashOf(x: f32, y: f32, z: f32): u32 {
  return mixed(mixed(mixed(reinterpret<u32>(x)) ^ reinterpret<u32>(y)) ^ reinterpret<u32>(z));
}

// @ts-ignore: decorator
@inline
function mixed(bits: u32): u32 {
  let h = bits ^ (bits >> 16);
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  return h ^ (h >> 16);
}
