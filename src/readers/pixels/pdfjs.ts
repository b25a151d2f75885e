import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkPdfStreams } from '../pdf/pdf-streams.js';

export type { PDFDocumentProxy, PDFPageProxy };

/** What is drawn on a page, operator by operator. */
export type OperatorList = Awaited<ReturnType<PDFPageProxy['getOperatorList']>>;

/** The module with its constants; loaded when the first PDF is. */
export type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/** A page as a picture. */
export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** u8[4 * widthPx * heightPx]: red, green, blue, opacity. */
  readonly rgba: Uint8ClampedArray;
}

/** What pdfjs makes canvases with: `@napi-rs/canvas` in Node, the copy that belongs to pdfjs (another version would crash). */
interface CanvasFactory {
  create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D };
  destroy(canvasAndContext: object): void;
}

let loading: Promise<Pdfjs> | undefined;

/** The library itself, once a thread. */
export function loadPdfjs(): Promise<Pdfjs> {
  return (loading ??= import('pdfjs-dist/legacy/build/pdf.mjs'));
}

/**
 * Opens a PDF with this thread's pdfjs; a damaged table of objects is rebuilt by it, an empty password tried. Fonts and
 * character maps come from the installed package; nothing is fetched, no code of the file is run. Close it with
 * `loadingTask.destroy()`.
 * @param images whether pictures in the file are decoded, which drawing pages needs; reading text does not.
 * @throws EngineError `FORMAT_UNSUPPORTED` (`details.encrypted`) when a password is needed, `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
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
    // pdfjs takes the buffer away from its owner, and refuses a Buffer.
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
 * Draws a page on white. The document must have been opened with its images.
 * @param endMs when drawing is given up, by `performance.now()`; what waits for it rejects.
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
