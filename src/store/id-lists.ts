/**
 * The numbers of a SQLite `CAST(group_concat(id) AS BLOB)`, rising and each once. Thrice as fast as a row for each: a row costs a
 * crossing into JavaScript, a digit only a step of this loop (50 000 ids: 4 ms beside 12).
 */
export function parseIds(lists: readonly (Uint8Array | null)[]): Uint32Array {
  const digits = lists.reduce((sum, list) => sum + (list === null ? 0 : list.length + 1), 0);
  const ids = new Uint32Array(Math.ceil(digits / 2));
  let count = 0;
  let rising = true;
  for (const list of lists) {
    if (list === null) continue;
    let id = 0;
    for (let at = 0; at <= list.length; at++) {
      if (at < list.length && list[at] !== COMMA) {
        id = id * 10 + list[at] - ZERO;
        continue;
      }
      if (count > 0 && id <= ids[count - 1]) rising = false;
      ids[count++] = id;
      id = 0;
    }
  }
  const found = ids.slice(0, count);
  return rising ? found : risingIds(found);
}

/** What is in `ids` and not in `without`; both rising. */
export function subtract(ids: Uint32Array, without: Uint32Array): Uint32Array {
  if (without.length === 0) return ids;
  const left = new Uint32Array(ids.length);
  let count = 0;
  let other = 0;
  for (const id of ids) {
    while (other < without.length && without[other] < id) other++;
    if (without[other] !== id) left[count++] = id;
  }
  return left.slice(0, count);
}

const COMMA = 0x2c;
const ZERO = 0x30;

/** Each once, rising. By marking them where they lie close enough: sorting 50 000 takes 3 ms, this 0.3. */
export function risingIds(ids: Uint32Array): Uint32Array {
  let most = 0;
  for (const id of ids) if (id > most) most = id;
  if (most > MARKS_PER_ID * ids.length) return unique(ids.sort());
  const marks = new Uint32Array((most >>> 5) + 1);
  for (const id of ids) marks[id >>> 5] |= 1 << (id & 31);
  let count = 0;
  marks.forEach((mark, at) => {
    for (let rest = mark; rest !== 0; rest &= rest - 1) ids[count++] = 32 * at + 31 - Math.clz32(rest & -rest);
  });
  return ids.slice(0, count);
}

/** A mark for each number up to the largest id costs less than sorting up to here. */
const MARKS_PER_ID = 256;

function unique(sorted: Uint32Array): Uint32Array {
  let count = 0;
  for (const id of sorted) if (count === 0 || id !== sorted[count - 1]) sorted[count++] = id;
  return sorted.slice(0, count);
}
