import type { z } from 'zod';
import { EngineError, type ErrorCode } from '../index.js';
import { ToolFailure } from './agent.js';

const AGAIN = 'Try again in a few seconds; if it stays so, tell the operator of the library.';
/** Characters that are said of one wrong argument: a wrong one may be as long as a message. */
const MOST_SAID = 300;
const OTHER_FILE = 'Use another file of the same part: another export, or its drawing.';

/** What a model can do about a failure of the engine. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  FILE_UNKNOWN: 'Search for it with search_parts, and give the uid of a result. UIDs of search inputs live for a day.',
  FILE_NOT_INDEXED:
    'If it waits to be read, call again in a few seconds; for an assembly see get_part: its components may not be indexed.',
  NO_GEOMETRY:
    'The file has no shape that could be compared. Search by words with search_parts, or name a model or drawing.',
  FORMAT_UNSUPPORTED:
    'Give a file of a kind that is read: STEP, IGES, STL, 3MF, DXF, DWG, PDF, SVG, PNG or JPEG, among others.',
  FILE_MALFORMED: OTHER_FILE,
  REFERENCE_MISSING: 'The file needs others beside it. Use a file that holds everything, such as STEP or GLB.',
  LIMIT_EXCEEDED: 'Ask for less: a smaller file, fewer results, or one component instead of a whole assembly.',
  TIMEOUT: 'Use a simpler export of the part, or one component instead of a whole assembly.',
  QUERY_INVALID:
    'Correct this argument. A condition is name=value, name=[whole value], name=prefix*, name=*, name>20mm. list_attributes shows names and units.',
  CATEGORY_UNKNOWN: 'Leave the category out, or search without it: the answers of get_part name categories.',
  PATH_INVALID: 'Choose a shorter path without control characters.',
  NOT_ALLOWED: 'Ask the user to do it, or somebody with the right to.',
  RATE_LIMITED: 'Wait as long as the message says.',
  CONFLICT: 'Choose another path, or look at the file that is there with get_part.',
  ABORTED: 'The call was cancelled.',
  ENGINE_CLOSED: 'The server is closing. Connect again.',
  STORAGE_FAILED: AGAIN,
  WORKER_FAILED: OTHER_FILE,
  PACKAGE_MISSING: 'Tell the operator to install the package that the message names.',
};

/** A failure as a model reads it: code, sentence, next step. Undefined for what is a defect of this program. */
export function failureText(cause: unknown): string | undefined {
  if (cause instanceof ToolFailure) return worded(cause.code, cause.message, cause.next);
  if (cause instanceof EngineError) return worded(cause.code, cause.message, NEXT[cause.code] ?? AGAIN);
  // The engine names an option with a wrong value so.
  if ((cause instanceof RangeError || cause instanceof TypeError) && / must /.test(cause.message))
    return worded('QUERY_INVALID', cause.message, 'Correct this argument and call again.');
  return undefined;
}

/** What is wrong with the arguments of a call. */
export function argumentsText({ issues }: z.ZodError, takes: readonly string[]): string {
  const said = issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`.slice(0, MOST_SAID));
  return worded('QUERY_INVALID', said.join('; '), `Call again with arguments of: ${takes.join(', ')}.`);
}

function worded(code: string, message: string, next: string): string {
  return `${code}: ${message.replace(/([^.!?])$/, '$1.')} Next: ${next}`;
}
