import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { EngineError, fileDamaged } from '../../errors.js';
import type { Limits } from '../../options.js';
import { loadOptional } from '../../optional-package.js';
import { processorTimeMs } from '../../processor-time.js';
import { boundCanvases, type CanvasFactory } from './bounded-canvases.js';
import { boundLists } from './bounded-lists.js';
import { beginContents, boundContents } from './bounded-contents.js';
import { beginMaps, boundMaps } from './bounded-maps.js';
import { checkPdfStreams } from './stream-limits.js';
import { allowNoCanvas, CANVAS_PACKAGE, resolveCanvas } from './without-canvas.js';

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

let loading: Promise<Pdfjs> | undefined;

/** For each open document, what begins the counts of a page anew. */
const newPages = new WeakMap<PDFDocumentProxy, () => void>();

/** Loads pdfjs, once per thread. */
export function loadPdfjs(): Promise<Pdfjs> {
  // A later call may succeed where one failed, for want of memory for example.
  return (loading ??= boundedPdfjs().catch((cause: unknown) => {
    loading = undefined;
    throw cause;
  }));
}

/** A page that saves a graphics state, takes it back, and has a Type3 font with a map. */
const SAVING_PAGE =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n' +
  '4 0 obj<</Length 20>>stream\nq Q BT /F 1 Tf ET   \nendstream endobj\n' +
  '5 0 obj<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<<>>/Encoding<</Differences[97/a]>>' +
  '/FirstChar 97/LastChar 97/Widths[1]/Resources<<>>/ToUnicode 6 0 R>>endobj\n' +
  '6 0 obj<</Length 18>>stream\nbegincmap endcmap \nendstream endobj\ntrailer<</Root 1 0 R>>\n';

async function boundedPdfjs(): Promise<Pdfjs> {
  allowNoCanvas();
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const interpret = async (): Promise<void> => {
    const task = pdfjs.getDocument({ data: new TextEncoder().encode(SAVING_PAGE), verbosity: 0 });
    try {
      const page = await (await task.promise).getPage(1);
      await page.getOperatorList();
      await page.getTextContent();
    } finally {
      await task.destroy();
    }
  };
  await boundMaps(() => boundContents(interpret));
  return pdfjs;
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
  const { mostPixels } = await checkPdfStreams(bytes, limits);
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
    maxImageSize: images ? mostPixels : 1,
    canvasMaxAreaInBytes: 4 * limits.imagePixels,
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
  });
  try {
    const document = await task.promise;
    const beginCanvases = boundCanvases(document.canvasFactory as CanvasFactory, limits);
    newPages.set(document, () => {
      beginCanvases();
      beginContents(limits);
    });
    boundLists(document, limits);
    beginContents(limits);
    beginMaps();
    return document;
  } catch (cause) {
    await task.destroy();
    throw failure(cause);
  }
}

/**
 * Draws a page on white. The document must have been opened with `images`.
 * @param endMs time by `processorTimeMs` at which drawing is cancelled; the promise then rejects.
 * @throws EngineError `LIMIT_EXCEEDED` (see {@link boundCanvases}), `PACKAGE_MISSING` where pdfjs has no canvas;
 * whatever error pdfjs throws.
 */
export async function drawPage(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  scale: number,
  endMs = Infinity,
): Promise<Picture> {
  await loadOptional(CANVAS_PACKAGE, 'drawing a page of a PDF', resolveCanvas);
  const factory = document.canvasFactory as CanvasFactory;
  newPages.get(document)?.();
  const viewport = page.getViewport({ scale });
  const drawn = factory.create(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)));
  try {
    const task = page.render({ canvas: drawn.canvas, canvasContext: drawn.context, viewport, background: 'white' });
    task.onContinue = (goOn: () => void) => (processorTimeMs() < endMs ? goOn() : task.cancel());
    await task.promise;
    const { width, height } = drawn.canvas;
    return { widthPx: width, heightPx: height, rgba: drawn.context.getImageData(0, 0, width, height).data };
  } finally {
    factory.destroy(drawn);
  }
}

function failure(cause: unknown): EngineError {
  if (cause instanceof Error && cause.name === 'PasswordException') {
    return new EngineError(
      'FORMAT_UNSUPPORTED',
      'the PDF is encrypted and needs a password to be opened; only PDFs that open without one are read',
      {
        details: { encrypted: true },
        cause,
      },
    );
  }
  return fileDamaged('the PDF', 'its reader', cause);
}
