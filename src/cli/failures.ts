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

/** Most failures that a list names; `shapedex list` has them all. */
const MOST_NAMED = 200;

/** A failure as it happens, on one line. */
export function failureLine({ path, code, message }: Failure): string {
  const paint = paintFor(process.stderr);
  return `failed: ${oneLine(path)}: ${paint.red(code)}: ${oneLine(message)}`;
}

/**
 * A list of failed files: path and code on one line, the message on the next. done: a verb, what could not be done with
 * them.
 */
export function renderFailures(failures: readonly Failure[], done = 'indexed'): string {
  const paint = paintFor(process.stdout);
  const lines = failures
    .slice(0, MOST_NAMED)
    .map(
      ({ path, code, message }) =>
        `  ${pathEnd(oneLine(path), outputWidth() - CODE_WIDTH)}  ${paint.red(code)}\n    ${oneLine(message)}`,
    );
  const more = failures.length - lines.length;
  if (more > 0) lines.push(`  … and ${plural(more, 'file')} more`);
  return `${plural(failures.length, 'file')} could not be ${done}:\n${lines.join('\n')}`;
}
