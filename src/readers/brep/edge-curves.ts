import { minus, plus, times, type Vector } from '../geometry/vectors.js';

/** Most that an edge turns between two of its chords, rad; more is a corner. */
const MOST_TURN = 0.5;

/** A chord of the curve in which two faces meet, or in which one ends. */
export interface EdgeChord {
  /** The pair of faces, any number that tells it from others. */
  readonly pair: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The way from the middle of each chord to the curve that the chords stand for, mm; their ends lie on it. The curvature
 * at an end is told from how it turns there to the next chord between the same faces. A chord without such neighbours
 * is straight, as the kernel divides what is not.
 * positions: f64[3 * n], mm. vertices are below `positions.length / 3`.
 */
export function risesOf(chords: readonly EdgeChord[], positions: Float64Array): Vector[] {
  const vertexCount = positions.length / 3;
  const pointAt = (vertex: number): Vector => [
    positions[3 * vertex],
    positions[3 * vertex + 1],
    positions[3 * vertex + 2],
  ];
  const ends = new Map<number, number[]>();
  for (const [i, { pair, from, to }] of chords.entries()) {
    for (const vertex of [from, to]) {
      const key = pair * vertexCount + vertex;
      const meeting = ends.get(key);
      if (meeting === undefined) ends.set(key, [i]);
      else meeting.push(i);
    }
  }
  /** Curvature at the end of a chord, a vector to the centre of the circle there. */
  const curvatureAt = (i: number, end: number, start: number): Vector | undefined => {
    const meeting = ends.get(chords[i].pair * vertexCount + end)!;
    if (meeting.length !== 2) return undefined;
    const next = chords[meeting[0] === i ? meeting[1] : meeting[0]];
    const there = pointAt(end);
    const back = minus(pointAt(start), there),
      on = minus(pointAt(next.from === end ? next.to : next.from), there);
    const [before, after] = [Math.hypot(...back), Math.hypot(...on)];
    const turn = plus(times(back, 1 / before), times(on, 1 / after));
    return Math.hypot(...turn) <= MOST_TURN ? times(turn, 2 / (before + after)) : undefined;
  };
  return chords.map(({ from, to }, i) => {
    const found = [curvatureAt(i, from, to), curvatureAt(i, to, from)].filter((one) => one !== undefined);
    if (found.length === 0) return [0, 0, 0];
    const mean = times(found.reduce(plus), 1 / found.length);
    return times(mean, -(Math.hypot(...minus(pointAt(to), pointAt(from))) ** 2) / 8);
  });
}
