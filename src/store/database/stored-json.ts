import { EngineError, messageOf } from '../../errors.js';
import { REMEDY } from './storage-errors.js';

/**
 * The value of a JSON text of the catalogue, which the engine wrote as an object or an array.
 * @param what what it is, for the message: `the warnings of a file`.
 * @throws EngineError `LIBRARY_DAMAGED` when it is neither.
 */
export function storedJson<T extends object>(text: unknown, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text as string);
  } catch (cause) {
    throw damaged(what, messageOf(cause), cause);
  }
  if (typeof value !== 'object' || value === null) throw damaged(what, `found ${typeof value}`);
  return value as T;
}

function damaged(what: string, found: string, cause?: unknown): EngineError {
  return new EngineError(
    'LIBRARY_DAMAGED',
    `the catalogue is damaged: ${what} must be an object or a list in JSON (${found}); ${REMEDY}`,
    { details: { what }, ...(cause === undefined ? {} : { cause }) },
  );
}
