import { TurnedFrame } from '../../content/geometry.js';
import type { PictureText } from './picture-text.js';
import { NO_LETTER } from './read-line.js';
import { inUsualDirection } from './reading-direction.js';

/** Least scores of readings; those of single letters, and of letters that serve as a measure for others, are higher. */
const LEAST_CONFIDENCE = -0.9;
const CLEAR = -0.35;
const CERTAIN = -0.06;
/** Largest share of ink in a letter's box, and largest difference in height of a single letter from the others. */
const SOLID = 0.5;
const SAME_HEIGHT = 0.13;
/** Texts of marks that pieces of lines and curves look like; beside others of their height they are read. */
const ONLY_BARS = /^[1Iilj|/\\\-_.,:' ]+$/;
/** Range of the size of characteristic symbols relative to letters. */
const CHARACTERISTIC = /^[⏥⌖⊥∥∠⌓⌒◎⌭↗⌰⌯-]$/;
/** Widest gap between a finish and its value, in letter heights. */
const FINISH_GAP = 2;

/**
 * Drops what is no text: unsure readings, dashes of lines, arrowheads, single letters of another height than the
 * others.
 */
export function soundTexts(read: readonly PictureText[]): readonly PictureText[] {
  const sure = read.filter(
    ({ text, confidence, isBars }) => confidence >= LEAST_CONFIDENCE && !isBars && !text.includes(NO_LETTER),
  );
  const heights = sure
    .filter(({ text, count, confidence }) => count > 1 && confidence > CLEAR && !ONLY_BARS.test(text))
    .map(({ height }) => height);
  const sound = joinedFinishes(sure).filter(
    ({ text, count, height, confidence, fill }) =>
      (count > 1 && !ONLY_BARS.test(text)) ||
      (confidence > CLEAR &&
        (fill < SOLID || (confidence > CERTAIN && /^[A-Z]$/.test(text))) &&
        heights.some((other) => Math.abs(other - height) < (CHARACTERISTIC.test(text) ? 1 : SAME_HEIGHT) * other)),
  );
  return inUsualDirection(sound);
}

/** Joins a surface finish with its value, between which there is often a wide gap. */
function joinedFinishes(texts: readonly PictureText[]): readonly PictureText[] {
  const taken = new Set<PictureText>();
  const joined = texts.map((text) => {
    if (!/^(?:[A-Z] )?R[a-z]$/.test(text.text)) return text;
    const frame = new TurnedFrame(text.angleRad);
    const value = texts.find((other) => {
      const along = frame.s(other.x - text.x, other.y - text.y) - text.width,
        across = frame.t(other.x - text.x, other.y - text.y);
      return (
        /^[\d.,]+$/.test(other.text) &&
        other.angleRad === text.angleRad &&
        Math.abs(across) < 0.2 * text.height &&
        along > 0 &&
        along < FINISH_GAP * text.height
      );
    });
    if (value === undefined) return text;
    taken.add(value);
    return {
      ...text,
      text: `${text.text} ${value.text}`,
      words: [
        {
          ...text.words[0],
          text: `${text.text} ${value.text}`,
          width: frame.s(value.x - text.x, value.y - text.y) + value.width,
        },
      ],
      count: text.count + value.count,
      width: frame.s(value.x - text.x, value.y - text.y) + value.width,
    };
  });
  return joined.filter((text) => !taken.has(text));
}
