import type { Warning } from '../index.js';
import { takesStdout } from './output-files.js';

/**
 * Where a command prints: answers on stdout, remarks on stderr; with `--json` stdout holds JSON only, with `--csv -`
 * and the like that file only.
 */
export interface Output {
  readonly json: boolean;
  /** Prints an answer for people: on stdout, or on stderr where stdout holds something else. */
  say(text: string): void;
  /** Prints a remark on stderr. */
  note(text: string): void;
  /** Prints one JSON document on a line; does nothing without `--json`. */
  emit(value: unknown): void;
}

/** The process's own streams as an {@link Output}. */
export function openOutput(options: { readonly json?: boolean }): Output {
  const { json = false } = options;
  const note = (text: string): void => void process.stderr.write(`${text}\n`);
  return {
    json,
    note,
    say: json || takesStdout(options) ? note : (text) => void process.stdout.write(`${text}\n`),
    emit: (value) => {
      if (json) process.stdout.write(`${JSON.stringify(value, withArrays)}\n`);
    },
  };
}

/** Of shapes alone: dimensions and words are read without them. */
const OF_SHAPES: ReadonlySet<Warning['code']> = new Set([
  'MESH_OPEN',
  'MESH_NOT_MANIFOLD',
  'MESH_INSIDE_OUT',
  'TRIANGLES_DROPPED',
  'SIZE_UNLIKELY',
  'VIEWS_MISSING',
]);

/** Warnings that tell that less was read than the file should hold. */
export const LOST: ReadonlySet<Warning['code']> = new Set(['FILE_TRUNCATED', 'REFERENCE_MISSING']);

/** Warnings that a search tells of the files it is given: they are kept nowhere. */
export const TOLD_OF_INPUTS: ReadonlySet<Warning['code']> = new Set([...LOST, 'EXTENSION_MISMATCH']);

/**
 * Remarks on what was odd in a file that a command read: `warning: FILE_TRUNCATED: the image ends early`.
 * @param file stands before the message where a command reads several.
 */
export function noteOddities({ note }: Output, warnings: readonly Warning[], file?: string): void {
  for (const { code, message } of warnings)
    if (!OF_SHAPES.has(code)) note(`warning: ${code}: ${file === undefined ? '' : `${file}: `}${message}`);
}

/** Typed arrays, such as transforms, as arrays: JSON makes objects of them. */
function withArrays(_: string, value: unknown): unknown {
  return value instanceof Float64Array ? [...value] : value;
}

/** Colour functions for a stream; they return the text unchanged where the stream shows no colours. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** Colours only on a terminal, and not when NO_COLOR is set (https://no-color.org). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  const coloured = stream.isTTY === true && !process.env['NO_COLOR'];
  const code = (open: number, close: number) => (text: string) =>
    coloured ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return { bold: code(1, 22), dim: code(2, 22), red: code(31, 39), green: code(32, 39), yellow: code(33, 39) };
}
