import type { SheetText } from '../../content/sheet.js';

/**
 * Lengths of words that are turned and of those by which they are, their least gap in font heights, and the largest
 * turn.
 */
const MOST_ALIGNED = 5;
const FEWEST_ALIGNING = 3;
const ALIGNED_GAP = 2;
const MOST_TURN = 0.14;
const MOST_TURN_OF_LETTER = 0.8;

/** Signs that look alike in any direction. */
const TURNABLE = new Set(['⌀', '□', '○', '⌖', '◎', '+']);
/** Middle of capitals above the baseline, as a share of the font's height. */
const MIDDLE = 0.36;

/** Short words in the direction of a longer one beside them: a few letters do not determine theirs. */
export function aligned(texts: readonly SheetText[]): SheetText[] {
  const long = texts.filter(({ text }) => text.length >= FEWEST_ALIGNING);
  return texts.map((word) => {
    const { text, x, y, width, height, angleRad } = word;
    if (text.length > MOST_ALIGNED) return word;
    const up = MIDDLE * height;
    const mx = x + (width / 2) * Math.cos(angleRad) + up * Math.sin(angleRad),
      my = y + (width / 2) * Math.sin(angleRad) - up * Math.cos(angleRad);
    const beside = long.find((other) => {
      const turn = Math.abs(other.angleRad - angleRad);
      if (
        other.text.length <= text.length ||
        turn < 1e-3 ||
        (turn > (text.length === 1 ? MOST_TURN_OF_LETTER : MOST_TURN) && !TURNABLE.has(text))
      )
        return false;
      const reach = ALIGNED_GAP * Math.max(height, other.height);
      return [0, other.width].some((along) => {
        const toX = other.x + along * Math.cos(other.angleRad) + MIDDLE * other.height * Math.sin(other.angleRad),
          toY = other.y + along * Math.sin(other.angleRad) - MIDDLE * other.height * Math.cos(other.angleRad);
        return Math.hypot(mx - toX, my - toY) < reach;
      });
    });
    if (beside === undefined) return word;
    const turned = beside.angleRad;
    return {
      ...word,
      angleRad: turned,
      x: mx - (width / 2) * Math.cos(turned) - up * Math.sin(turned),
      y: my - (width / 2) * Math.sin(turned) + up * Math.cos(turned),
    };
  });
}
