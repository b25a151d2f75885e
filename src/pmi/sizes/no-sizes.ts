import { NUMBER } from './numbers.js';

/** `4-12-2013` is a date, not a 4 with two deviations. */
const DATE = /^\d{1,4}([-./])\d{1,2}\1\d{2,4}$/;
/** `4711-2`, `10-12`: numbers of parts and of rows; a deviation has a space before it, a point or a plus. */
const NAME = /^\d+-\d+$/;
/** Property classes of screws and nuts (ISO 898, ISO 3506), which no pitch, length or fit is written as. */
const CLASS =
  String.raw`(?:[34]\.[68]|5\.[68]|6\.8|8\.8|9\.8|10\.9|12\.9|14\.9|` +
  String.raw`[AFC][1-5]L?(?:-(?:45|50|70|80|100|110))?)`;
/**
 * A screw with its length and its class: `M8x20-8.8`, `M6 x 16 - A2-70`. It is bought, and no size of the part. Without
 * a length, or with what may be a pitch, the thread is one: `M8 A2`, `M8x1.25-8.8`.
 */
const FASTENER = new RegExp(
  String.raw`^(?:\d{1,3}\s?[xX×]\s?)?M\s?\d{1,3}(?:\s?[xX×]\s?${NUMBER})?\s?[xX×]\s?(?:[5-9]|\d{2,3})(?:\s?mm)?` +
    String.raw`\s?[-\s]\s?${CLASS}$`,
);

/** Whether a text that could be taken for a size is a date, a number of a part, or a screw with its class. */
export function isNoSize(plain: string): boolean {
  return [DATE, NAME, FASTENER].some((pattern) => pattern.test(plain));
}

/** Whether a text names a screw that is bought. */
export function isFastener(plain: string): boolean {
  return FASTENER.test(plain);
}

/** Steels by their carbon (EN 10083): a chamfer is smaller. */
const STEEL = /^C[kK]?(?:22|25|30|35|40|45|50|55|60|67|70|75)(?:[EGRUW]|\+[A-Z]{1,2})?$/;

/** Whether a text is the name of a steel, `C45`. */
export function isSteel(plain: string): boolean {
  return STEEL.test(plain);
}
