/** A place on a page. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** A text of one page, brought to the place where it lies on another one, and the text there that has its signs. */
export interface TextPair {
  readonly text: string;
  readonly own: Place;
  readonly other: Place;
}

/** What rounded places explain, in units of the longer side of a page. */
const ROUNDED = 1e-3;

/**
 * Whether two texts have changed places, as sizes in two rows of a table: each lies nearer to what the other one is
 * paired with. Texts that a program writes wider move the same way, and then the sum of both distances is least for
 * the pairs as they are. Texts of the same signs cannot be told from each other.
 */
export function areSwapped(pairs: readonly TextPair[]): boolean {
  const moved = pairs.map((pair) => ({ ...pair, by: apart(pair.own, pair.other) })).sort((a, b) => b.by - a.by);
  return moved.some((a, i) => {
    // Most stand where they stood: nothing is nearer than that.
    for (let k = i + 1; k < moved.length && a.by + moved[k].by > ROUNDED; k++) {
      const b = moved[k];
      if (a.text === b.text) continue;
      if (apart(a.own, b.other) + apart(b.own, a.other) + ROUNDED < a.by + b.by) return true;
    }
    return false;
  });
}

function apart(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
