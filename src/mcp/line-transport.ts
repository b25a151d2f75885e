import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineReader, type LongLine } from './line-reader.js';
import { MOST_UPLOAD_BYTES } from './named-part.js';

/** Codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const MIB = 1024 ** 2;

type Id = string | number | null;

/** How a {@link LineTransport} reads. */
export interface LineLimits {
  readonly mostBytes: number;
  /** Whether a value is a message of the protocol. */
  readonly isMessage: (value: unknown) => value is JSONRPCMessage;
  /** Told in a sentence of each line that is refused. */
  readonly report?: (what: string) => void;
}

/**
 * Messages over a pair of streams, a line of JSON each. Unlike the SDK's own transport it answers a line that is no
 * message, as JSON-RPC asks, and goes on after one that is too long: that one closes the connection, and the sender
 * never learns why.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #limits: LineLimits;
  readonly #lines: LineReader;
  /** Ids of requests that are not answered yet. */
  readonly #asked = new Set<string | number>();
  #onAnswered = (): void => undefined;
  readonly #onData = (bytes: Buffer): void => this.#lines.push(bytes);
  /** The last line may lack its end. */
  readonly #onEnd = (): void => this.#lines.end();
  readonly #onError = (error: Error): void => this.onerror?.(error);

  constructor(input: Readable, output: Writable, limits: LineLimits) {
    this.#input = input;
    this.#output = output;
    this.#limits = limits;
    this.#lines = new LineReader(limits.mostBytes, (line) => this.#read(line));
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  async close(): Promise<void> {
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
    if (this.#input.listenerCount('data') === 0) this.#input.pause();
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isRead = this.#write(message);
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    if (!isRead) await new Promise((resolve) => this.#output.once('drain', resolve));
  }

  /** Resolves once every request that was read is answered. */
  async answered(): Promise<void> {
    if (this.#asked.size > 0) await new Promise<void>((resolve) => (this.#onAnswered = resolve));
  }

  #read(line: string | LongLine): void {
    if (typeof line !== 'string')
      return this.#refuse(INVALID_REQUEST, tooLong(line, this.#limits.mostBytes), idOf(line));
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      const { message } = cause as SyntaxError;
      return this.#refuse(PARSE_ERROR, `the line is not JSON: ${message}`, null);
    }
    if (this.#limits.isMessage(value)) this.#pass(value);
    else if (isAnswer(value)) this.#limits.report?.(`ignored an answer: ${defectOf(value)}`);
    else this.#refuse(INVALID_REQUEST, `not a message of JSON-RPC 2.0: ${defectOf(value)}`, idIn(value) ?? null);
  }

  #pass(message: JSONRPCMessage): void {
    if ('method' in message) {
      if ('id' in message) this.#asked.add(message.id);
      // The server does not answer what was cancelled.
      const { requestId } = message.params ?? {};
      if (message.method === 'notifications/cancelled') this.#settle(requestId as string | number);
    }
    this.onmessage?.(message);
  }

  #settle(id: string | number): void {
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#onAnswered();
  }

  #refuse(code: number, message: string, id: Id): void {
    this.#limits.report?.(`refused a message: ${message}`);
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** False: the reader is slow. */
  #write(message: object): boolean {
    return this.#output.write(`${JSON.stringify(message)}\n`);
  }
}

function tooLong({ byteLength }: LongLine, most: number): string {
  return (
    `the message has ${byteLength} bytes, at most ${most} (${most / MIB} MiB) are read; ` +
    `an uploaded file may have ${MOST_UPLOAD_BYTES / MIB} MiB`
  );
}

/** What is wrong with a value that is no message. */
function defectOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list; send each message on a line of its own';
  if (!isObject(value)) return `expected an object, found ${value === null ? 'null' : `a ${typeof value}`}`;
  if (value['jsonrpc'] !== '2.0') return `"jsonrpc" must be "2.0"`;
  if ('id' in value && idIn(value) === undefined) return '"id" must be a string or an integer';
  if ('method' in value && typeof value['method'] !== 'string') return '"method" must be a string';
  if ('params' in value && !isObject(value['params'])) return '"params" must be an object';
  if (!('method' in value) && !isAnswer(value)) return '"method" is missing';
  return 'its fields are not those of a request, a notification or an answer';
}

/** Whether it is meant as an answer: to refuse one by another could go on for ever. */
function isAnswer(value: unknown): value is object {
  return isObject(value) && !('method' in value) && ('result' in value || 'error' in value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of a value that is no message; undefined: it has none that may be. */
function idIn(value: unknown): string | number | undefined {
  const id = isObject(value) ? value['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : undefined;
}

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,15})`;
/** The id as the first field, or after the version; and as the last one, where the SDK's clients have it. */
const ID_AT_HEAD = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`);
const ID_AT_TAIL = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`);

/**
 * The id of a request that is too long to be parsed, so that its sender need not wait for an answer; null: not seen.
 */
function idOf({ head, tail }: LongLine): Id {
  const [, id] = ID_AT_HEAD.exec(head) ?? ID_AT_TAIL.exec(tail) ?? [];
  if (id === undefined) return null;
  try {
    return JSON.parse(id) as string | number;
  } catch {
    return null; // A string with an escape that JSON does not know.
  }
}
