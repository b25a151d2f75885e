import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { EngineError, type ErrorCode } from '../../index.js';

/** Of the messages below. A caller and a server of other versions of it, or of the program, refuse each other. */
export const PROTOCOL = 1;

/** Longest message, bytes; before both sides have proved to know the key, and after. */
export const MESSAGE_LIMITS = Object.freeze({ greeting: 4_096, call: 2 ** 29 });

/** Takes the place of what cannot be sent: an AbortSignal or a function of the caller. */
export interface Stand {
  readonly $shapedex: 'signal' | 'function';
  readonly id: number;
  /** Of a signal that is aborted already. */
  readonly aborted?: boolean;
}

/** First name of a path whose other names are of the company as it is served. */
export const SERVED = 'served';

/** What a caller sends once it is let in. */
export type CallerMessage =
  /** Calls a method of the engine, of a company, or of it as it is served ({@link SERVED}). */
  | {
      readonly type: 'call';
      readonly id: number;
      readonly company?: string;
      readonly path: readonly string[];
      readonly args: readonly unknown[];
    }
  /** Asks for the next value of a call that answers many, or ends it. */
  | { readonly type: 'next' | 'end'; readonly id: number }
  /** A signal of a call is aborted. */
  | { readonly type: 'abort'; readonly stand: number };

/** What a server sends then. */
export type ServerMessage =
  | { readonly type: 'value'; readonly id: number; readonly value: unknown }
  /** The call answers many values, one at a time. */
  | { readonly type: 'many' | 'done'; readonly id: number }
  | { readonly type: 'error'; readonly id: number; readonly error: SentError }
  /** A function of the caller is called; its value is of no interest. */
  | { readonly type: 'report'; readonly stand: number; readonly args: readonly unknown[] };

/** An error, with what commands tell of it. */
export interface SentError {
  readonly kind: 'EngineError' | 'RangeError' | 'TypeError' | 'Error';
  readonly code?: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly stack?: string;
}

/** Sends values as messages, each its length in four bytes and then the value in V8's own form. */
export function send(socket: Socket, message: unknown): void {
  const body = serialize(message);
  if (body.length > MESSAGE_LIMITS.call)
    throw new RangeError(`a message must have at most ${MESSAGE_LIMITS.call} bytes, received ${body.length}`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  socket.cork();
  socket.write(length);
  socket.write(body);
  socket.uncork();
}

/** Calls `take` with each message; ends the connection when one is longer than `limit()` or cannot be read. */
export function receive(socket: Socket, take: (message: unknown) => void, limit: () => number): void {
  let parts: Buffer[] = [];
  let held = 0;
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk);
    held += chunk.length;
    try {
      for (let length = next(); length !== undefined; length = next()) {
        const all = parts.length === 1 ? parts[0] : Buffer.concat(parts);
        const rest = all.subarray(4 + length);
        parts = rest.length > 0 ? [rest] : [];
        held = rest.length;
        take(deserialize(all.subarray(4, 4 + length)));
      }
    } catch (cause) {
      socket.destroy(cause instanceof Error ? cause : undefined);
    }
  });

  /** The length of the next message if all of it is here. */
  function next(): number | undefined {
    if (held < 4) return undefined;
    if (parts[0].length < 4) parts = [Buffer.concat(parts)];
    const length = parts[0].readUInt32BE(0);
    if (length > limit()) throw new RangeError(`a message of ${length} bytes is too long`);
    return held >= 4 + length ? length : undefined;
  }
}

/** What is sent of an error. */
export function sentError(cause: unknown): SentError {
  if (!(cause instanceof Error)) return { kind: 'Error', message: String(cause) };
  const { message, stack } = cause;
  const code = (cause as { code?: unknown }).code;
  const known = { message, ...(stack !== undefined && { stack }), ...(typeof code === 'string' && { code }) };
  if (cause instanceof EngineError) return { kind: 'EngineError', ...known, details: plain(cause.details) };
  return {
    ...known,
    kind: cause instanceof RangeError ? 'RangeError' : cause instanceof TypeError ? 'TypeError' : 'Error',
  };
}

/** The error that was sent, of the same class. */
export function receivedError({ kind, code, message, details, stack }: SentError): Error {
  const error =
    kind === 'EngineError'
      ? new EngineError(code as ErrorCode, message, { details })
      : Object.assign(new { RangeError, TypeError, Error }[kind](message), code === undefined ? {} : { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}

function plain(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return deserialize(serialize(details)) as Readonly<Record<string, unknown>>;
  } catch {
    return {}; // A detail that cannot be sent; the message says what a person needs.
  }
}
