import type { Bomb } from './pictures.mjs';

export function pdfBombs(): Promise<Bomb[]>;
export function pictureBombsInPdf(): Promise<Bomb[]>;
export function tiledPdf(options: {
  step?: readonly [number, number];
  box?: readonly number[];
  matrix?: readonly number[];
  times?: number;
}): Buffer;
/** A stream of an object: its dictionary and bytes; or the text of an object. */
export type PdfObject = string | readonly [dictionary: string, bytes: Uint8Array];
export function pdfOf(content: string, resources?: string, objects?: readonly PdfObject[], box?: string): Buffer;
