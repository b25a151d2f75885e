/** A hostile file: its name, whose extension is that of its format, and its bytes. */
export type Bomb = readonly [name: string, bytes: Buffer];

export function pictureBombs(): Promise<Bomb[]>;
export function claimedJpeg(
  width: number,
  height: number,
  options?: { progressive?: boolean; chroma?: string },
): Promise<Buffer>;
export function withFrameSize(jpeg: Buffer, width: number, height: number): Buffer;
export function manyScans(width: number, height: number, count: number): Promise<Buffer>;
export function bitmap(options: {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  body?: Buffer;
}): Buffer;
export function floatTiles(options?: {
  width?: number;
  height?: number;
  side?: number;
  samples?: number;
  sizeType?: number;
  copies?: (number | number[])[][];
}): Buffer;
export function png(options: {
  width: number;
  height: number;
  depth?: number;
  color?: number;
  interlace?: number;
  pixels: Buffer;
  extra?: readonly Buffer[];
}): Buffer;
export function chunk(type: string, data: Buffer): Buffer;
