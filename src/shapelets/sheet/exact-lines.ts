import { bytesOf } from '../../content/bytes-of.js';
import { eachEdge, type Sheet } from '../../content/sheet.js';
import type { SheetView } from './split-sheet.js';
import { SHAPELET_SIZE, SHAPELET_SPAN } from '../shapelet.js';

/** Samples along a stroke per pixel. */
const STEPS = 4;

/**
 * u8[64²]: the strokes of a view in the frame of its shapelet, one pixel wide and exact to a fraction of a pixel. The
 * lines of the shapelet, by which views are compared, may be off by half a pixel; these serve to place an overlay.
 */
export function drawExactLines(sheet: Sheet, { box, strokes }: Pick<SheetView, 'box' | 'strokes'>): Uint8Array {
  const scale = SHAPELET_SPAN / Math.max(box.width, box.height, Number.MIN_VALUE);
  // Coordinates are those of the centres of pixels.
  const left = (SHAPELET_SIZE - 1) / 2 - scale * (box.x + box.width / 2),
    top = (SHAPELET_SIZE - 1) / 2 - scale * (box.y + box.height / 2);
  const cover = new Float32Array(SHAPELET_SIZE ** 2);
  for (const stroke of strokes) {
    eachEdge(sheet.strokes, stroke, (x0, y0, x1, y1) => {
      const x = left + scale * x0,
        y = top + scale * y0;
      const dx = left + scale * x1 - x,
        dy = top + scale * y1 - y;
      const count = Math.min(Math.ceil(STEPS * Math.hypot(dx, dy)), 2 * STEPS * SHAPELET_SIZE) + 1;
      for (let k = 0; k <= count; k++) put(cover, x + (dx * k) / count, y + (dy * k) / count);
    });
  }
  return bytesOf(cover, (value) => Math.round(255 * value));
}

/** Distributes a point over the four nearest pixels. */
function put(cover: Float32Array, x: number, y: number): void {
  const column = Math.floor(x),
    row = Math.floor(y);
  if (!(column >= 0 && row >= 0 && column < SHAPELET_SIZE - 1 && row < SHAPELET_SIZE - 1)) return;
  const right = x - column,
    down = y - row,
    at = row * SHAPELET_SIZE + column;
  cover[at] = Math.max(cover[at], (1 - right) * (1 - down));
  cover[at + 1] = Math.max(cover[at + 1], right * (1 - down));
  cover[at + SHAPELET_SIZE] = Math.max(cover[at + SHAPELET_SIZE], (1 - right) * down);
  cover[at + SHAPELET_SIZE + 1] = Math.max(cover[at + SHAPELET_SIZE + 1], right * down);
}
