/** Types of pages in the files of several writers, for tests written in TypeScript. */
export interface DrawnPage {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly items: readonly object[];
}
export function movedBy(
  page: DrawnPage,
  by: { readonly x?: number; readonly y?: number; readonly scale?: number; readonly paper?: number },
): DrawnPage;
export function svgOf(page: DrawnPage, digits?: number): Uint8Array;
export function dxfOf(page: DrawnPage): Uint8Array;
/** Pages with a hole elsewhere; undefined where there is none. */
export function siblingsOf(page: DrawnPage, count: number): DrawnPage[] | undefined;
/** how: `number`, `swapped`, `word`, `line`, `hole`, `moved` or `solid`. */
export function revisionOf(page: DrawnPage, how: string, random: () => number): DrawnPage | undefined;
