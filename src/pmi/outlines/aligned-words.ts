import type { SheetText } from '../../content/sheet.js';

/** Lengths of words that are turned and of those by which they are, their least gap in font heights, and the largest turn. */
const MOST_ALIGNED = 5;
const FEWEST_ALIGNING = 3;
const ALIGNED_GAP = 2;
const MOST_TURN = 0.14;
const MOST_TURN_OF_LETTER = 0.8;

/** Short words in the direction of a longer one beside them: a few letters do not determine theirs. */
export function aligned(texts: readonly SheetText[]): SheetText[] {
  const long = texts.filter(({ text }) => text.length >= FEWEST_ALIGNING);
  return texts.map((word) => {
    const { text, x, y, width, height, angleRad } = word;
    if (text.length > MOST_ALIGNED) return word;
    const [mx, my] = [x + (width / 2) * Math.cos(angleRad), y + (width / 2) * Math.sin(angleRad)];
    const beside = long.find((other) => {
      const turn = Math.abs(other.angleRad - angleRad);
      if (
        other.text.length <= text.length ||
        turn < 1e-3 ||
        turn > (text.length === 1 ? MOST_TURN_OF_LETTER : MOST_TURN)
      )
        return false;
      const end = other.width * Math.cos(other.angleRad),
        down = other.width * Math.sin(other.angleRad);
      const reach = ALIGNED_GAP * Math.max(height, other.height);
      return (
        Math.hypot(mx - other.x - end, my - other.y - down) < reach || Math.hypot(mx - other.x, my - other.y) < reach
      );
    });
    if (beside === undefined) return word;
    const turned = beside.angleRad;
    return {
      ...word,
      angleRad: turned,
      x: mx - (width / 2) * Math.cos(turned),
      y: my - (width / 2) * Math.sin(turned),
    };
  });
}
