/**
 * What the alignments of a text with the places of the network's output say together: each letter takes one place or
 * more, with gaps before, between and behind (Graves et al. 2006).
 * @param states logarithms of a gap, the first letter, a gap, … the last letter, a gap, at each place.
 * @param isRepeated whether the letter of that number is the same as the one before it: a gap stands between both.
 * @param join how alignments count together: their sum, or the likeliest of them.
 */
export function overAlignments(
  states: readonly Float64Array[],
  isRepeated: (letter: number) => boolean,
  join: (a: number, b: number) => number,
): number {
  const count = states.length,
    places = states[0].length;
  let before = new Float64Array(count).fill(-Infinity),
    now = new Float64Array(count);
  before[0] = 0;
  const maySkip = states.map((_, state) => state % 2 === 1 && state > 1 && !isRepeated(state >> 1));
  for (let place = 0; place < places; place++) {
    for (let state = 0; state < count; state++) {
      let all = before[state];
      if (state > 0) all = join(all, before[state - 1]);
      if (maySkip[state]) all = join(all, before[state - 2]);
      now[state] = all + states[state][place];
    }
    [before, now] = [now, before];
  }
  return count === 1 ? before[0] : join(before[count - 1], before[count - 2]);
}
