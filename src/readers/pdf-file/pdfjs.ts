import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkPdfStreams } from './stream-limits.js';

export type { PDFDocumentProxy, PDFPageProxy };

/** The drawing operators of a page, as pdfjs lists them. */
export type OperatorList = Awaited<ReturnType<PDFPageProxy['getOperatorList']>>;

/** The pdfjs module, which is loaded with the first PDF. */
export type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/** A page as a picture. */
export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** u8[4 * widthPx * heightPx]: red, green, blue, opacity. */
  readonly rgba: Uint8ClampedArray;
}

/**
 * Creates the canvases of pdfjs. In Node they come from the copy of `@napi-rs/canvas` that pdfjs installs; another
 * version crashes.
 */
interface CanvasFactory {
  create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D };
  destroy(canvasAndContext: object): void;
}

let loading: Promise<Pdfjs> | undefined;

/** Loads pdfjs, once per thread. */
export function loadPdfjs(): Promise<Pdfjs> {
  return (loading ??= import('pdfjs-dist/legacy/build/pdf.mjs'));
}

/**
 * Opens a PDF with this thread's pdfjs, which rebuilds a damaged cross-reference table and tries an empty password.
 * Fonts and character maps come from the installed package; nothing is fetched and no script of the file runs. Close
 * the document with `loadingTask.destroy()`.
 * @param images whether pictures in the file are decoded: needed to draw pages, not to read text.
 * @throws EngineError `FORMAT_UNSUPPORTED` (`details.encrypted`) when a password is needed, `FILE_MALFORMED`,
 * `LIMIT_EXCEEDED`.
 */
export async function openPdf(
  bytes: Uint8Array,
  limits: Limits,
  { images }: { images: boolean },
): Promise<PDFDocumentProxy> {
  await checkPdfStreams(bytes, limits);
  const { getDocument } = await loadPdfjs();
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const folder = (name: string): string => join(root, name) + sep;
  const task = getDocument({
    // A copy, because pdfjs detaches the buffer; and not a Buffer, which pdfjs refuses.
    data: new Uint8Array(bytes),
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: images ? limits.imagePixels : 1,
    canvasMaxAreaInBytes: 4 * limits.imagePixels,
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
  });
  try {
    return await task.promise;
  } catch (cause) {
    await task.destroy();
    throw failure(cause);
  }
}

/**
 * Draws a page on white. The document must have been opened with `images`.
 * @param endMs time by `performance.now()` at which drawing is cancelled; the promise then rejects.
 */
export async function drawPage(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  scale: number,
  endMs = Infinity,
): Promise<Picture> {
  const factory = document.canvasFactory as CanvasFactory;
  const viewport = page.getViewport({ scale });
  const drawn = factory.create(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)));
  try {
    const task = page.render({ canvas: drawn.canvas, canvasContext: drawn.context, viewport, background: 'white' });
    task.onContinue = (goOn: () => void) => (performance.now() < endMs ? goOn() : task.cancel());
    await task.promise;
    const { width, height } = drawn.canvas;
    return { widthPx: width, heightPx: height, rgba: drawn.context.getImageData(0, 0, width, height).data };
  } finally {
    factory.destroy(drawn);
  }
}

function failure(cause: unknown): EngineError {
  const { name, message } = cause instanceof Error ? cause : { name: '', message: String(cause) };
  if (name === 'PasswordException') {
    return new EngineError(
      'FORMAT_UNSUPPORTED',
      'the PDF is encrypted and needs a password to be opened; only PDFs that open without one are read',
      {
        details: { encrypted: true },
        cause,
      },
    );
  }
  return new EngineError('FILE_MALFORMED', `the PDF cannot be opened: ${message.slice(0, 200)}`, { cause });
}
