import type { MadeBomb } from './solids.mjs';

export function jbig2Bombs(): MadeBomb[];
export function symbolPdf(rows: number, side: number): Buffer;
