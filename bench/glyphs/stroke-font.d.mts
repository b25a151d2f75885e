/** Paths of letters on a grid. */
export const LETTERS: Readonly<Record<string, readonly string[]>>;
/** The paths of a letter: `l`, then x and y in turn, y up, a capital 1 high. */
export function pathsOf(paths: readonly string[], rounds: number): readonly (readonly [string, ...number[]])[];
