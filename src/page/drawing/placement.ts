/**
 * Position of a page in its frame: scale in CSS pixels per page unit, and x, y of its upper left corner. The longer
 * side of a page is {@link PAGE_SIDE} units.
 */
export interface Placement {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Width and height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle. */
export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Length of the longer side of a page, units. */
export const PAGE_SIDE = 1000;
/** Largest scale, as a multiple of the scale at which the page fits. */
const MOST_ZOOM = 40;
/** Shorter side of a box that is large enough to read, CSS pixels. */
const LEGIBLE_PX = 18;
/** Margin around a fitted page, CSS pixels. */
const MARGIN = 16;

/** The size of a page in units, from the size of its picture. */
export function pageSize({ width, height }: Size): Size {
  const unit = PAGE_SIDE / Math.max(width, height, 1);
  return { width: width * unit, height: height * unit };
}

/** The whole page, centred. */
export function fitted(page: Size, frame: Size): Placement {
  return clamped({ scale: fittingScale(page, frame), x: 0, y: 0 }, page, frame);
}

/** Zooms in (factor above 1) or out; the point at `at` in the frame stays there. */
export function zoomed(
  { scale, x, y }: Placement,
  factor: number,
  at: { readonly x: number; readonly y: number },
  page: Size,
  frame: Size,
): Placement {
  const least = fittingScale(page, frame);
  const next = Math.min(least * MOST_ZOOM, Math.max(least, scale * factor));
  return clamped(
    { scale: next, x: at.x - ((at.x - x) * next) / scale, y: at.y - ((at.y - y) * next) / scale },
    page,
    frame,
  );
}

/** Moved by CSS pixels. */
export function moved({ scale, x, y }: Placement, dx: number, dy: number, page: Size, frame: Size): Placement {
  return clamped({ scale, x: x + dx, y: y + dy }, page, frame);
}

/** Whether the whole page is visible. */
export function isFitted({ scale }: Placement, page: Size, frame: Size): boolean {
  return scale <= fittingScale(page, frame) * 1.001;
}

/**
 * A placement that shows a box (shares of the page): unchanged if the box is already visible and large enough to read,
 * else the box centred with some of its surroundings.
 */
export function showing(placement: Placement, { x, y, width, height }: Box, page: Size, frame: Size): Placement {
  const box = { x: x * page.width, y: y * page.height, width: width * page.width, height: height * page.height };
  const shown = {
    x: placement.x + box.x * placement.scale,
    y: placement.y + box.y * placement.scale,
    width: box.width * placement.scale,
    height: box.height * placement.scale,
  };
  const isInside =
    shown.x >= 0 && shown.y >= 0 && shown.x + shown.width <= frame.width && shown.y + shown.height <= frame.height;
  if (isInside && Math.min(shown.width, shown.height) >= LEGIBLE_PX) return placement;
  const least = fittingScale(page, frame);
  const suited = Math.min(frame.width / Math.max(box.width, 1), frame.height / Math.max(box.height, 1)) / 4;
  const scale = Math.min(Math.max(suited, least), least * 5);
  return clamped(
    {
      scale,
      x: frame.width / 2 - (box.x + box.width / 2) * scale,
      y: frame.height / 2 - (box.y + box.height / 2) * scale,
    },
    page,
    frame,
  );
}

function fittingScale(page: Size, frame: Size): number {
  return Math.max(0.01, Math.min((frame.width - 2 * MARGIN) / page.width, (frame.height - 2 * MARGIN) / page.height));
}

/** Centres a page that is smaller than the frame; keeps the edges of a larger one from moving in beyond the margin. */
function clamped({ scale, x, y }: Placement, page: Size, frame: Size): Placement {
  const along = (at: number, length: number, room: number): number =>
    length <= room - 2 * MARGIN ? (room - length) / 2 : Math.min(MARGIN, Math.max(room - MARGIN - length, at));
  return { scale, x: along(x, page.width * scale, frame.width), y: along(y, page.height * scale, frame.height) };
}
