import { paintFor } from './output.js';
import { oneLine, pathEnd, plural } from './format.js';
import { outputWidth } from './table.js';

/** A file that could not be indexed (or converted), and why. */
export interface Failure {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Characters of the longest error code, with gap and indent. */
const CODE_WIDTH = 24;

/**
 * A list of failed files: path and code on one line, the message on the next. done: a verb, what could not be done with
 * them.
 */
export function renderFailures(failures: readonly Failure[], done = 'indexed'): string {
  const paint = paintFor(process.stdout);
  const lines = failures.map(
    ({ path, code, message }) =>
      `  ${pathEnd(oneLine(path), outputWidth() - CODE_WIDTH)}  ${paint.red(code)}\n    ${oneLine(message)}`,
  );
  return `${plural(failures.length, 'file')} could not be ${done}:\n${lines.join('\n')}`;
}
