/** A hostile file: its name, and what makes its bytes. */
export type MadeBomb = readonly [name: string, make: () => Buffer];

export function solidBombs(): MadeBomb[];
