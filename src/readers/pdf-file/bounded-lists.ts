import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkHeldBytes, mostHeldBytes } from '../decoding/decoded-bytes.js';

/** A part of the list of a page's operators, as pdfjs passes it from its interpreter to whoever asked. */
interface Chunk {
  readonly length: number;
  readonly lastChunk: boolean;
}
type Send = (action: string, ...rest: readonly unknown[]) => ReadableStream<Chunk>;

/** Memory of an operator of a list, bytes: a short path and its box (measured .93 kB each of 200,000 and of 2 million). */
const OPERATOR_BYTES = 1_000;

/**
 * Checks a page's list of operators, which is not complete when it is too long.
 * @throws EngineError `LIMIT_EXCEEDED` for more than `limits.entities`, or than a reading process can hold.
 */
export function checkOperators(page: string, count: number, limits: Limits): void {
  checkLimit(page, limits, 'entities', count);
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
 * `limits.entities`, or than a reading process can hold: {@link checkOperators}.
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
    return action === 'GetOperatorList' ? counted(stream, most, closing) : stream;
  };
}

/** The stream, whose reader counts what passes. Only `getReader` is used of it. */
function counted(stream: ReadableStream<Chunk>, most: number, closing: Promise<void>): ReadableStream<Chunk> {
  const getReader = (): ReadableStreamDefaultReader<Chunk> => {
    const reader = stream.getReader();
    const read = reader.read.bind(reader);
    let count = 0;
    reader.read = async () => {
      // pdfjs takes an error for the end of the list: the last part is marked as that, and the caller counts.
      if (count > most) return { done: true, value: undefined };
      const result = await read();
      count += result.value?.length ?? 0;
      if (count <= most || result.value === undefined) return result;
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
