/**
 * The form of a message between the host and a reading process: the head, which is decoded here within bounds, then the
 * bytes of its larger byte arrays, which the receiver reads straight into buffers of their own.
 *
 * Values are null, booleans, numbers, strings, `Uint8Array`, arrays, maps and plain objects without `undefined` fields.
 * A value is a tag and what the tag says; lengths are LEB128. A key of an object is sent once and then by its number.
 */

/** What a value is. */
export const TAG = {
  null: 0,
  false: 1,
  true: 2,
  integer: 3,
  double: 4,
  string: 5,
  bytes: 6,
  bytesAfter: 7,
  array: 8,
  object: 9,
  map: 10,
} as const;

/** Byte arrays up to this length are copied into the head. */
export const INLINE_BYTES = 16_384;
/**
 * Deepest nesting. A component of an assembly nests twice, so `limits.depth` may be up to a thousand; the recursion
 * here and in those who read the value stays far from the end of the stack.
 */
export const MOST_DEPTH = 2_048;
