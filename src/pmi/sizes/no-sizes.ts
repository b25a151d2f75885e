import { NUMBER } from './numbers.js';

/** `4-12-2013` is a date, not a 4 with two deviations. */
const DATE = /^\d{1,4}([-./])\d{1,2}\1\d{2,4}$/;
/** `4711-2`, `10-12`: numbers of parts and of rows; a deviation has a space before it, a point or a plus. */
const NAME = /^\d+-\d+$/;
/** Property classes of screws and nuts (ISO 898, ISO 3506), which no pitch, length or fit is written as. */
const CLASS =
  String.raw`(?:[34]\.[68]|5\.[68]|6\.8|8\.8|9\.8|10\.9|12\.9|14\.9|` +
  String.raw`[AFC][1-5]L?(?:-(?:45|50|70|80|100|110))?)`;
/** A screw or nut with its class: `M8x20-8.8`, `M10 12.9`, `M6 x 16 - A2-70`. It is bought, and no size of the part. */
const FASTENER = new RegExp(
  String.raw`^(?:\d{1,3}\s?[xX×]\s?)?M\s?\d{1,3}(?:\s?[xX×]\s?${NUMBER}(?:\s?mm)?){0,2}\s?[-\s]\s?${CLASS}$`,
);
/** Pictures and screens: pixels, width before height. */
const PIXELS: ReadonlySet<string> = new Set(
  (
    '320x240 640x360 640x480 800x480 800x600 1024x600 1024x768 1280x720 1280x800 1280x960 1280x1024 1360x768 ' +
    '1366x768 1440x900 1600x900 1600x1200 1680x1050 1920x1080 1920x1200 2048x1080 2048x1152 2048x1536 2560x1080 ' +
    '2560x1440 2560x1600 3440x1440 3840x2160 4096x2160'
  ).split(' '),
);

/** Whether a text that could be taken for a size is a date, a number of a part, a screw with its class, or pixels. */
export function isNoSize(plain: string): boolean {
  if (PIXELS.has(plain.replace(/\s/g, '').replace(/[×X]/, 'x'))) return true;
  return [DATE, NAME, FASTENER].some((pattern) => pattern.test(plain));
}
