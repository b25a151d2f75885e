import { paintFor } from './output.js';
import { oneLine, pathEnd, plural } from './format.js';
import { outputWidth } from './table.js';

/** A file that could not be indexed, and why. */
export interface Failure {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const PATH_WIDTH = 60;

/** A list of failed files: path and code on one line, the sentence on the next. */
export function renderFailures(failures: readonly Failure[]): string {
  const paint = paintFor(process.stdout);
  const lines = failures.map(({ path, code, message }) =>
    `  ${pathEnd(oneLine(path), Math.max(PATH_WIDTH, outputWidth() - 24))}  ${paint.red(code)}\n    ${oneLine(message)}`);
  return `${plural(failures.length, 'file')} could not be indexed:\n${lines.join('\n')}`;
}
