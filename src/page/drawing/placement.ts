/** How a page lies in its window: CSS pixels of a unit of the page, and where its upper left corner is. The longer side of a page is {@link PAGE_SIDE} units. */
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

/** Units of the longer side of a page. */
export const PAGE_SIDE = 1000;
/** How far in, by the scale at which the page fits. */
const MOST_ZOOM = 40;
/** CSS pixels of the shorter side of a box that can be read. */
const LEGIBLE_PX = 18;
/** CSS pixels about a page that fits. */
const MARGIN = 16;

/** The page in units, from a picture of it. */
export function pageSize({ width, height }: Size): Size {
  const unit = PAGE_SIDE / Math.max(width, height, 1);
  return { width: width * unit, height: height * unit };
}

/** The whole page, centred. */
export function fitted(page: Size, frame: Size): Placement {
  return clamped({ scale: fittingScale(page, frame), x: 0, y: 0 }, page, frame);
}

/** Nearer (factor above 1) or farther, what is at x, y of the window staying there. */
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

/** Whether the whole page is seen. */
export function isFitted({ scale }: Placement, page: Size, frame: Size): boolean {
  return scale <= fittingScale(page, frame) * 1.001;
}

/** So that a box (shares of the page) is seen: as it is where it is seen well already, else centred with some of what is around. */
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

/** What is smaller than the window is centred in it; of what is larger an edge goes no farther in than the margin. */
function clamped({ scale, x, y }: Placement, page: Size, frame: Size): Placement {
  const along = (at: number, length: number, room: number): number =>
    length <= room - 2 * MARGIN ? (room - length) / 2 : Math.min(MARGIN, Math.max(room - MARGIN - length, at));
  return { scale, x: along(x, page.width * scale, frame.width), y: along(y, page.height * scale, frame.height) };
}
