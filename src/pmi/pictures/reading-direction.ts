import type { PictureText } from './picture-text.js';

/** What reads as another number upside down. */
const EITHER_WAY = /^(?=.*[69])[0689]+$/;
/** Texts that show their direction have a sign that is none upside down. */
const ONE_WAY = /[2-57A-Z⌀±°]/;
const TURNED: Readonly<Record<string, string>> = { '6': '9', '9': '6' };
/** Upright within this angle, its cosine. */
const UPRIGHT = 0.2;
/** Texts that tell the direction are so sure, logarithm, and have at least two letters. */
const CLEAR = -0.35;

/** Least of such texts by which the direction of a page is known. */
const TELLING = 2;

function isTelling(text: PictureText): boolean {
  return isUpright(text) && text.count > 1 && text.confidence > CLEAR && ONE_WAY.test(text.text);
}

function isUpright({ angleRad }: PictureText): boolean {
  return Math.abs(Math.cos(angleRad)) < UPRIGHT;
}

/** Whether a text is upright and read from below. */
export function isUpwards(text: PictureText): boolean {
  return isUpright(text) && text.angleRad < 0;
}

/** Whether most upright texts that show their direction are read downwards, as some programs write all of them. */
export function areDownwards(texts: readonly PictureText[]): boolean {
  const telling = texts.filter(isTelling);
  const upwards = telling.filter(isUpwards).length;
  return telling.length - upwards >= TELLING && telling.length > 2 * upwards;
}

/**
 * Upright numbers such as 66, which may as well be 99 upside down, in the direction of the nearest upright text that
 * has only one: programs write all upright texts of a drawing in one direction, or those of one side of it.
 */
export function inUsualDirection(texts: readonly PictureText[]): readonly PictureText[] {
  const telling = texts.filter(isTelling);
  if (telling.length === 0) return texts;
  return texts.map((text) => {
    if (!isUpright(text) || text.words.length !== 1 || !EITHER_WAY.test(text.text)) return text;
    const away = (other: PictureText): number => Math.hypot(other.x - text.x, other.y - text.y);
    const nearest = telling.reduce((best, other) => (away(other) < away(best) ? other : best));
    return Math.cos(nearest.angleRad - text.angleRad) < 0 ? upsideDown(text) : text;
  });
}

function upsideDown(text: PictureText): PictureText {
  const { x, y, width, height, angleRad } = text;
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const said = [...text.text].reverse().map((letter) => TURNED[letter] ?? letter);
  return {
    ...text,
    text: said.join(''),
    // It begins at the upper end of what was its last letter.
    x: x + width * cos + height * sin,
    y: y + width * sin - height * cos,
    angleRad: angleRad > 0 ? angleRad - Math.PI : angleRad + Math.PI,
    words: text.words.map((word) => ({ ...word, text: said.join('') })),
  };
}
