import { limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkBytes } from '../decoding/decoded-bytes.js';

/** A canvas and its context, as pdfjs passes them around; null once it is done with them. */
interface Entry {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
}

/**
 * Creates the canvases of pdfjs. In Node they come from the copy of `@napi-rs/canvas` that pdfjs installs; another
 * version crashes.
 */
export interface CanvasFactory {
  create(width: number, height: number): Entry;
  destroy(entry: Entry): void;
}

type Drawing = (...args: unknown[]) => void;

/**
 * A pixel of a canvas, bytes: its colours, their copy in the record of the canvas on which it was drawn, and what pdfjs
 * keeps of the picture that it may show.
 */
const PIXEL_BYTES = 12;

/**
 * Canvases up to this size are left to the garbage collector. pdfjs frees a canvas by giving it no size, which takes
 * 70 to 140 kB more of `@napi-rs/canvas` .1.100, and .4 ms to 1 ms: of 100,000 inline pictures of one pixel 2.8 GiB.
 */
const LEFT_PIXELS = 128 * 128;

/**
 * Most paths and pictures drawn on a page, its letters and those of its patterns among them. A record of each, 1.6 kB,
 * is kept until the page is finished.
 */
const MOST_OPERATIONS = 500_000;

/**
 * Most copies of a tile that overlap each other. pdfjs draws each of them, also where the step of a pattern is a
 * millionth of its tile; in real patterns a tile overlaps a few others.
 */
const MOST_OVERLAPS = 10_000;

/**
 * Most pixels of all tiles drawn over each other: `@napi-rs/canvas` keeps a copy of each until the page is finished. A
 * tile of 100,000 pt with a step of 1 took 4 GiB of copies after some hundred.
 */
const MOST_OVERLAPPED_PIXELS = 64 * 1024 ** 2;

/**
 * Most canvases of a page: of inline pictures, tiles, masks, groups. One of a pixel takes 14 to 18 kB until V8 collects
 * it, which it does not do for memory that is not its own: of 100,000 in three drawings 2.9 to 4.1 GiB.
 */
const MOST_CANVASES = 20_000;

/**
 * Bounds what drawing pages of a document takes: replaces `create` and `destroy` of its canvas factory. Drawing rejects
 * with `LIMIT_EXCEEDED` for canvases of more than `limits.decodedBytes` together, for more than {@link MOST_CANVASES}
 * or {@link MOST_OPERATIONS}, and for a pattern whose tiles overlap more than {@link MOST_OVERLAPS} times or in more
 * than {@link MOST_OVERLAPPED_PIXELS}.
 * @returns a function that begins a new page.
 */
export function boundCanvases(factory: CanvasFactory, limits: Limits): () => void {
  const create = factory.create.bind(factory);
  const destroy = factory.destroy.bind(factory);
  let operations = 0,
    canvases = 0,
    bytes = 0;
  const count = (): void => {
    if (++operations > MOST_OPERATIONS)
      throw limitExceeded('a page of the PDF', 'the number of paths and pictures that are drawn', MOST_OPERATIONS);
  };
  factory.create = (width, height) => {
    if (++canvases > MOST_CANVASES)
      throw limitExceeded('a page of the PDF', 'the number of pictures that are drawn', MOST_CANVASES, 'more');
    bytes += PIXEL_BYTES * width * height;
    checkBytes('what a page of the PDF shows', bytes, limits);
    const entry = create(width, height);
    bound(entry, count);
    return entry;
  };
  factory.destroy = (entry) => {
    const { width, height } = entry.canvas;
    if (width * height > LEFT_PIXELS) return destroy(entry);
    // As pdfjs marks it.
    Object.assign(entry, { canvas: null, context: null });
  };
  return () => {
    operations = canvases = bytes = 0;
  };
}

/** Counts what is drawn on a canvas. */
function bound({ canvas, context }: Entry, count: () => void): void {
  const methods = context as unknown as Record<'drawImage' | 'fill' | 'stroke', Drawing>;
  for (const name of ['drawImage', 'fill', 'stroke'] as const) {
    const draw: Drawing = methods[name].bind(context);
    methods[name] = (...args) => {
      count();
      draw(...args);
    };
  }
  const drawImage: Drawing = methods.drawImage;
  let overlaps = 0,
    overlappedPixels = 0;
  methods.drawImage = (...args) => {
    if (isOverlap(canvas, args)) {
      if (++overlaps > MOST_OVERLAPS)
        throw limitExceeded('a pattern of the PDF', 'the number of overlapping tiles', MOST_OVERLAPS);
      const [picture, x, y] = args as [HTMLCanvasElement, number, number];
      // Beyond the tile: nothing would be drawn.
      if (x >= picture.width || y >= picture.height) return;
      overlappedPixels += picture.width * picture.height;
      if (overlappedPixels > MOST_OVERLAPPED_PIXELS)
        throw limitExceeded('a pattern of the PDF', 'the pixels of overlapping tiles', MOST_OVERLAPPED_PIXELS, 'more');
    }
    drawImage(...args);
  };
}

/** Whether a part of a tile is drawn over the whole canvas: so pdfjs draws patterns whose tiles overlap. */
function isOverlap(canvas: HTMLCanvasElement, args: readonly unknown[]): boolean {
  const [x, y, width, height] = args.slice(5);
  return args.length === 9 && x === 0 && y === 0 && width === canvas.width && height === canvas.height;
}
