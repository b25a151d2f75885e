import { EngineError } from '../../errors.js';

/**
 * The error for a pdfjs whose parts are not where they are bounded: nothing is read with it, because a small file could
 * take any time and memory.
 */
export function otherPdfjs(what: string): EngineError {
  return new EngineError(
    'PACKAGE_MISSING',
    `the installed pdfjs-dist cannot be bounded, because it is of another version than package.json names: ${what}`,
    { details: { package: 'pdfjs-dist' } },
  );
}
