import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Worker as NodeWorker } from 'node:worker_threads';
import type { Worker } from 'tesseract.js';
import type { TextPage, TextRun } from '../../content/text.js';
import { EngineError, messageOf } from '../../errors.js';
import { loadOptional } from '../../optional-package.js';
import { plainLine } from '../text/plain-text.js';

const TESSERACT = 'tesseract.js';
const LANGUAGE = '@tesseract.js-data/eng';
const PURPOSE = 'recognising text on pictures';

/** Least confidence of a kept word, percent: the lines of a drawing produce many false words below it. */
const LEAST_CONFIDENCE = 60;

interface Recogniser {
  readonly worker: Worker;
  /** The thread in which tesseract.js runs. */
  readonly thread: NodeWorker;
}

/** One recogniser per thread. It takes 0.6 s to start and is kept for the next picture. */
let running: Promise<Recogniser> | undefined;

/**
 * Recognises English text on a picture (PNG, JPEG, WebP or BMP); each word is a run with its box. Works in a separate
 * thread and offline: the recogniser and its language data are the optional packages tesseract.js and
 * @tesseract.js-data/eng.
 * @param widthPx width of the picture; the boxes are shares of it and of `heightPx`.
 * @param number page number of the result.
 * @throws EngineError `PACKAGE_MISSING` when one of the two packages is not installed; `WORKER_FAILED` when the
 * recogniser ends unexpectedly, after which the next call starts another.
 */
export async function recognise(
  picture: Uint8Array,
  widthPx: number,
  heightPx: number,
  number: number,
): Promise<TextPage> {
  const { worker, thread } = await (running ??= start());
  thread.ref();
  let fail: (cause: unknown) => void = () => undefined;
  const onExit = (code: number): void => fail(new Error(`it ended with exit code ${code}`));
  const onError = (cause: unknown): void => fail(cause);
  thread.once('exit', onExit).once('error', onError);
  try {
    const ended = new Promise<never>((_, reject) => (fail = reject));
    const { data } = await Promise.race([
      worker.recognize(Buffer.from(picture), {}, { text: false, blocks: true }),
      ended,
    ]);
    const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
    return pageOf(lines, widthPx, heightPx, number);
  } catch (cause) {
    running = undefined;
    await thread.terminate();
    throw new EngineError('WORKER_FAILED', `recognising text failed: ${messageOf(cause)}`, { cause });
  } finally {
    thread.off('exit', onExit).off('error', onError);
    // The thread is kept for the next picture but must not keep the process alive.
    thread.unref();
  }
}

/** Stops this thread's recogniser; the next picture starts another. */
export async function disposeOcr(): Promise<void> {
  const last = running;
  running = undefined;
  await (await last)?.worker.terminate();
}

async function start(): Promise<Recogniser> {
  try {
    const { default: tesseract } = await loadOptional(TESSERACT, PURPOSE, () => import('tesseract.js'));
    const language = await loadOptional(LANGUAGE, PURPOSE, () =>
      createRequire(import.meta.url).resolve(`${LANGUAGE}/package.json`),
    );
    const langPath = join(dirname(language), '4.0.0_best_int');
    // Without an error handler tesseract.js throws outside of any promise, where no caller can catch it.
    const worker = await tesseract.createWorker('eng', tesseract.OEM.LSTM_ONLY, {
      langPath,
      cacheMethod: 'none',
      gzip: true,
      errorHandler: () => undefined,
    });
    const { worker: thread } = worker as Worker & { readonly worker: NodeWorker };
    // After an error between two pictures, the next picture starts another recogniser.
    thread.on('error', () => (running = undefined));
    thread.unref();
    return { worker, thread };
  } catch (cause) {
    running = undefined;
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('WORKER_FAILED', 'the text recogniser tesseract.js could not be started', { cause });
  }
}

interface Word {
  readonly text: string;
  readonly confidence: number;
  readonly bbox: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };
}

function pageOf(
  lines: readonly { readonly words: readonly Word[] }[],
  widthPx: number,
  heightPx: number,
  number: number,
): TextPage {
  const runs: TextRun[] = [];
  let text = '';
  for (const { words } of lines) {
    let first = true;
    for (const { text: found, confidence, bbox } of words) {
      const word = plainLine(found);
      // A word without any letter or digit is usually a line of the drawing.
      if (confidence < LEAST_CONFIDENCE || !/[\p{L}\p{N}]/u.test(word)) continue;
      if (text !== '') text += first ? '\n' : ' ';
      first = false;
      const start = text.length;
      text += word;
      const x = share(bbox.x0, widthPx),
        y = share(bbox.y0, heightPx);
      runs.push({
        start,
        end: text.length,
        box: { x, y, width: share(bbox.x1, widthPx) - x, height: share(bbox.y1, heightPx) - y },
      });
    }
  }
  return { number, name: '', text, runs };
}

function share(value: number, whole: number): number {
  return Math.min(1, Math.max(0, value / whole));
}
