import { limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import type { OcctFormat } from './occt-kernel.js';

/**
 * Types of the directory of an IGES file that become a face each, unless another entity owns them: planes, surfaces,
 * bounded and trimmed ones, faces of shells.
 */
const IGES_FACES: ReadonlySet<number> = new Set([
  108, 114, 118, 120, 122, 128, 140, 143, 144, 190, 192, 194, 196, 198, 510,
]);
/** A face of a shell is owned by it, and a face all the same. */
const OWNED_FACE = 510;
/** Columns of a line of an IGES file: the type of an entity, whether another one owns it, the letter of its section. */
const TYPE_COLUMNS = 8;
const OWNED_COLUMN = 66;
const SECTION_COLUMN = 72;
const DIRECTORY = 'D'.charCodeAt(0);
/** A line ends here even where no end of line does. */
const COLUMNS = 80;
const SPACE = 32;
const LINE_FEED = 10;
const RETURN = 13;

/** What makes a face, and what ends an instance, in the text of the other formats. */
const FACES: Readonly<Record<'step' | 'brep', readonly string[]>> = {
  step: ['ADVANCED_FACE', 'FACE_SURFACE'],
  brep: ['Fa'],
};

/**
 * Counts what the kernel will have to hold, in the bytes of a file, before it is let in: some ms per MB, and no longer
 * than up to a limit.
 * @throws EngineError `LIMIT_EXCEEDED` for more than `limits.faces`, or more than `limits.instances`.
 */
export function checkKernelWork(
  bytes: Uint8Array,
  format: OcctFormat,
  limits: Pick<Limits, 'faces' | 'instances'>,
): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const what = `the ${format.toUpperCase()} file`;
  const { faces, instances } = format === 'iges' ? inDirectory(text, limits) : inText(text, format, limits);
  if (faces > limits.faces) throw limitExceeded(`the faces of ${what}`, 'limits.faces', limits.faces, faces);
  if (instances > limits.instances)
    throw limitExceeded(`the instances of ${what}`, 'limits.instances', limits.instances, instances);
}

type Counts = Pick<Limits, 'faces' | 'instances'>;

function inText(text: Buffer, format: 'step' | 'brep', limits: Counts): Counts {
  // Of BREP, whose words are short, only those that stand between spaces or ends of lines.
  const isWord = (at: number): boolean => format === 'step' || (text[at - 1] <= SPACE && text[at + 2] <= SPACE);
  const faces = FACES[format].reduce((sum, word) => sum + occurrences(text, word, limits.faces, isWord), 0);
  return { faces, instances: format === 'step' ? occurrences(text, ';', limits.instances) : 0 };
}

/** How often a word occurs; beyond `most` it is not counted on. */
function occurrences(text: Buffer, word: string, most: number, isWord = (_: number): boolean => true): number {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count <= most; at = text.indexOf(word, at + word.length))
    if (isWord(at)) count++;
  return count;
}

/**
 * Each entity has two lines in the directory; the first one begins with its type. Lines end as the kernel reads them:
 * at any end of line, of any system, and after 80 columns.
 */
function inDirectory(text: Buffer, limits: Counts): Counts {
  let [faces, lines] = [0, 0];
  for (let at = 0; at < text.length && faces <= limits.faces && lines / 2 <= limits.instances; ) {
    let end = at;
    while (end < text.length && end < at + COLUMNS && text[end] !== LINE_FEED && text[end] !== RETURN) end++;
    if (text[at + SECTION_COLUMN] === DIRECTORY && at + SECTION_COLUMN < end) {
      if (lines % 2 === 0 && isFace(text, at)) faces++;
      lines++;
    }
    at = end < at + COLUMNS ? end + 1 : end;
  }
  return { faces, instances: lines / 2 };
}

function isFace(text: Buffer, at: number): boolean {
  const type = Number(text.toString('latin1', at, at + TYPE_COLUMNS));
  const owned = text.toString('latin1', at + OWNED_COLUMN, at + OWNED_COLUMN + 2);
  return IGES_FACES.has(type) && (type === OWNED_FACE || Number(owned) === 0);
}
