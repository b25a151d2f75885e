import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Limits } from '../../options.js';

/** A part of the list of a page's operators, as pdfjs passes it from its interpreter to whoever asked. */
interface Chunk {
  readonly length: number;
  readonly lastChunk: boolean;
}
type Send = (action: string, ...rest: readonly unknown[]) => ReadableStream<Chunk>;

/**
 * Bounds the lists of operators that pdfjs makes of the pages of a document. A form that draws others, ten times each,
 * is some hundred bytes and 10^10 operators; pdfjs would list them all. It stops as soon as a list has more than
 * `limits.entities`: a longer list is not complete.
 */
export function boundLists(document: PDFDocumentProxy, { entities }: Limits): void {
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
    return action === 'GetOperatorList' ? counted(stream, entities, closing) : stream;
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
