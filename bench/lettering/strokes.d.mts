/** By character: its forms, each a list of strokes of points; x to the right, y upwards, capitals from 0 to 1. */
export const STROKE_LETTERS: Readonly<Record<string, readonly (readonly (readonly [x: number, y: number])[])[][]>>;
