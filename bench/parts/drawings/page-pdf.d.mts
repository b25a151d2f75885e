/** Types of the writer of PDF pages, for tests written in TypeScript. */
import type { DrawnPage } from './saved-anew.mjs';

export function pdfOf(page: DrawnPage): Uint8Array;
