import { limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import type { OcctFormat } from './occt-kernel.js';

/** Types of the directory of an IGES file that trim or bound a surface, each of which becomes a face. */
const IGES_TRIMMED: ReadonlySet<number> = new Set([143, 144, 510]);
/** Types that become a face each where none of those takes them: planes and surfaces. */
const IGES_SURFACES: ReadonlySet<number> = new Set([108, 114, 118, 120, 122, 128, 140, 190, 192, 194, 196, 198]);
/** Columns of a line of an IGES file: the type of an entity, the letter of its section. */
const TYPE_COLUMNS = 8;
const SECTION_COLUMN = 72;
const DIRECTORY = 'D'.charCodeAt(0);
/** A line ends here even where no end of line does. */
const COLUMNS = 80;
const SPACE = 32;
const LINE_FEED = 10;
const RETURN = 13;
const QUOTE = 39;
const CLOSE = 41;
const STAR = 42;
const COMMA = 44;
const SLASH = 47;
const SEMICOLON = 59;

/** What makes a face in the text of the other formats; of STEP also in the short names of its schemas. */
const FACES: Readonly<Record<'step' | 'brep', readonly string[]>> = {
  step: ['ADVANCED_FACE', 'ADVFC', 'FACE_SURFACE', 'FCSRF'],
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
  if (format === 'brep') return { faces, instances: 0 };
  const instances = occurrences(text, ';', limits.instances);
  // Texts and comments may hold such words too. To tell is slower, so it is done where it can matter.
  const isOver = faces > limits.faces || instances > limits.instances;
  return isOver ? inEntities(text, limits) : { faces, instances };
}

/** Counts what stands in neither texts nor comments, as the kernel tells them apart; some 5 ns a byte. */
function inEntities(text: Buffer, limits: Counts): Counts {
  const words = FACES.step.map((word) => Buffer.from(word));
  const isFace = (at: number): boolean =>
    words.some(
      (word) =>
        word[0] === text[at] &&
        word.equals(text.subarray(at, at + word.length)) &&
        !isOfWord(text[at - 1]) &&
        !isOfWord(text[at + word.length]),
    );
  let [faces, instances] = [0, 0];
  for (let at = 0; at < text.length && faces <= limits.faces && instances <= limits.instances; ) {
    if (text[at] === QUOTE) {
      at = endOfText(text, at + 1);
    } else if (text[at] === SLASH && text[at + 1] === STAR) {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
    } else {
      if (text[at] === SEMICOLON) instances++;
      else if (isFace(at)) faces++;
      at++;
    }
  }
  return { faces, instances };
}

/** A text ends, for the kernel, at a quote before a comma or a closing parenthesis, whatever the standard says. */
function endOfText(text: Buffer, from: number): number {
  for (let at = text.indexOf(QUOTE, from); at >= 0; at = text.indexOf(QUOTE, at + 1)) {
    let next = at + 1;
    while (text[next] === SPACE || text[next] === LINE_FEED || text[next] === RETURN) next++;
    if (text[next] === COMMA || text[next] === CLOSE) return at + 1;
  }
  return text.length;
}

function isOfWord(byte: number | undefined): boolean {
  return byte !== undefined && /\w/.test(String.fromCharCode(byte));
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
 * at any end of line, of any system, and after 80 columns. Whether a surface says that another entity owns it counts
 * for nothing: the kernel reads it either way, and many files do not say so. As each trimmed surface has one surface,
 * the faces are at least the larger number of the two and at most twice that.
 */
function inDirectory(text: Buffer, limits: Counts): Counts {
  let [trimmed, surfaces, lines] = [0, 0, 0];
  const faces = (): number => Math.max(trimmed, surfaces);
  for (let at = 0; at < text.length && faces() <= limits.faces && lines / 2 <= limits.instances; ) {
    let end = at;
    while (end < text.length && end < at + COLUMNS && text[end] !== LINE_FEED && text[end] !== RETURN) end++;
    if (text[at + SECTION_COLUMN] === DIRECTORY && at + SECTION_COLUMN < end) {
      const type = lines % 2 === 0 ? Number(text.toString('latin1', at, at + TYPE_COLUMNS)) : 0;
      if (IGES_TRIMMED.has(type)) trimmed++;
      else if (IGES_SURFACES.has(type)) surfaces++;
      lines++;
    }
    at = end < at + COLUMNS ? end + 1 : end;
  }
  return { faces: faces(), instances: lines / 2 };
}
