import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkHeldBytes, mostHeldBytes } from '../decoding/decoded-bytes.js';

/** A part of the list of a page's operators, as pdfjs passes it from its interpreter to whoever asked. */
interface Chunk {
  readonly length: number;
  readonly fnArray: readonly number[];
  readonly lastChunk: boolean;
}
type Send = (action: string, ...rest: readonly unknown[]) => ReadableStream<Chunk>;

/**
 * Memory of an operator of a list, bytes: a short path and its box (measured .93 kB each of 200,000 and of 2 million).
 */
const OPERATOR_BYTES = 1_000;

/** Operators of pdfjs that save the state of what is drawn, and that take back the last one (`OPS`). */
const SAVE = 10,
  RESTORE = 11,
  FORM_BEGIN = 74,
  FORM_END = 75;

/** Follows how many graphics states are saved in each other. */
class SavedStates {
  deepest = 0;
  #depth = 0;

  see(operators: readonly number[]): void {
    for (const operator of operators) {
      if (operator === SAVE || operator === FORM_BEGIN) this.deepest = Math.max(this.deepest, ++this.#depth);
      else if (operator === RESTORE || operator === FORM_END) this.#depth = Math.max(0, this.#depth - 1);
    }
  }
}

/**
 * Checks a page's list of operators, which is not complete when it is too long or nested too deeply.
 * @throws EngineError `LIMIT_EXCEEDED` for more than `limits.entities`, or than a reading process can hold, and for
 *   more saved states in each other than `limits.savedStates`.
 */
export function checkOperators(page: string, operators: readonly number[], limits: Limits): void {
  const count = operators.length;
  const saved = new SavedStates();
  saved.see(operators);
  checkLimit(page, limits, 'entities', count);
  checkLimit(page, limits, 'savedStates', saved.deepest);
  checkHeldBytes(`what ${page} draws`, OPERATOR_BYTES * count, limits);
}

/**
 * Memory of pdfjs for a font of which the file has only the name, bytes: the program of a standard font, converted for
 * each of them, and its copy in the list of operators (measured .33 MB each of 300).
 */
const FONT_BYTES = 350_000;

/** @throws EngineError `LIMIT_EXCEEDED` for more fonts of a page than a reading process can hold. */
export function checkFonts(page: string, count: number, limits: Limits): void {
  checkHeldBytes(`${page} with ${count} fonts`, FONT_BYTES * count, limits);
}

/**
 * Bounds the lists of operators that pdfjs makes of the pages of a document. A form that draws others, ten times each,
 * is some hundred bytes and 10^10 operators; pdfjs would list them all. It stops as soon as a list has more than
 * `limits.entities`, or than a reading process can hold, or is nested deeper than `limits.savedStates`, which takes
 * pdfjs time by its square: {@link checkOperators}.
 */
export function boundLists(document: PDFDocumentProxy, limits: Limits): void {
  const most = Math.min(limits.entities, Math.floor(mostHeldBytes(limits) / OPERATOR_BYTES));
  const { messageHandler } = (
    document as unknown as { readonly _transport: { readonly messageHandler: { sendWithStream: Send } } }
  )._transport;
  const { loadingTask } = document;
  const send: Send = messageHandler.sendWithStream.bind(messageHandler);
  const destroy = loadingTask.destroy.bind(loadingTask);
  const closing = new Promise<void>((resolve) => {
    loadingTask.destroy = () => {
      resolve();
      return destroy();
    };
  });
  messageHandler.sendWithStream = (action, ...rest) => {
    const stream = send(action, ...rest);
    return action === 'GetOperatorList' ? counted(stream, { most, deepest: limits.savedStates }, closing) : stream;
  };
}

/** The stream, whose reader counts what passes. Only `getReader` is used of it. */
function counted(
  stream: ReadableStream<Chunk>,
  { most, deepest }: { readonly most: number; readonly deepest: number },
  closing: Promise<void>,
): ReadableStream<Chunk> {
  const getReader = (): ReadableStreamDefaultReader<Chunk> => {
    const reader = stream.getReader();
    const read = reader.read.bind(reader);
    let count = 0;
    const saved = new SavedStates();
    const isBeyond = (): boolean => count > most || saved.deepest > deepest;
    reader.read = async () => {
      // pdfjs takes an error for the end of the list: the last part is marked as that, and the caller counts.
      if (isBeyond()) return { done: true, value: undefined };
      const result = await read();
      count += result.value?.length ?? 0;
      saved.see(result.value?.fnArray ?? []);
      if (!isBeyond() || result.value === undefined) return result;
      // What is not read stops the interpreter. Not cancelled: pdfjs then rejects a promise for which it may have no
      // handler. The document ends when its interpreters do, so the rest is read then; they see at the next part that
      // they are to end.
      void closing.then(() => readOut(read)).catch(() => undefined);
      return { done: false, value: { ...result.value, lastChunk: true } };
    };
    return reader;
  };
  return { getReader } as ReadableStream<Chunk>;
}

async function readOut(read: () => Promise<ReadableStreamReadResult<Chunk>>): Promise<void> {
  while (!(await read()).done);
}
