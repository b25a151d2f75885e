import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { chmod } from 'node:fs/promises';
import type { Engine } from '../../index.js';
import { isProof, openDoor, proofOf, type Door } from './door.js';
import {
  MESSAGE_LIMITS,
  PROTOCOL,
  receive,
  send,
  sentError,
  SERVED,
  type CallerMessage,
  type ServerMessage,
  type Stand,
} from './messages.js';
import { programVersion } from './version.js';

/** Callers at a time; further ones are turned away. */
const CALLERS = 64;
/** Calls of one caller at a time. */
const CALLS = 64;
/** Time in which a caller must prove to know the key, ms. */
const GREETING_MS = 10_000;
/** Reports to a caller that does not read them are left out beyond so many waiting bytes. */
const WAITING_BYTES = 2 ** 24;
const NAME = /^[a-z]\w{0,63}$/i;
/** Calls that end the engine are not a caller's. */
const REFUSED: ReadonlySet<string> = new Set(['close', 'constructor']);

/** The service of a library to commands of the same user. */
export interface LocalService {
  close(): Promise<void>;
}

/**
 * Lets commands of the same user on this machine call the engine: the calls that they would make on an engine of their
 * own are made on this one. Listens in the library's folder, never on the network.
 */
export async function listenToCommands(engine: Engine, library: string): Promise<LocalService> {
  const door = await openDoor(library);
  const callers = new Set<Caller>();
  const server = createServer((socket) => {
    const caller = new Caller(socket, engine, door.key);
    callers.add(caller);
    socket.on('close', () => callers.delete(caller));
    if (callers.size > CALLERS) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(door.address, resolve);
  });
  if (process.platform !== 'win32') await chmod(door.address, 0o600);
  server.unref();
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const caller of callers) caller.end();
      await closed;
      await door.close();
    },
  };
}

/** One connection. */
class Caller {
  readonly #socket: Socket;
  readonly #engine: Engine;
  readonly #nonce = randomBytes(16);
  readonly #signals = new Map<number, AbortController>();
  readonly #many = new Map<number, AsyncIterator<unknown>>();
  #calls = 0;
  #isKnown = false;

  constructor(socket: Socket, engine: Engine, key: Door['key']) {
    this.#socket = socket;
    this.#engine = engine;
    const timer = setTimeout(() => socket.destroy(), GREETING_MS);
    // A caller that goes away is no failure of the server; 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      this.#leave();
    });
    receive(
      socket,
      (message) => {
        if (this.#isKnown) this.#take(message as CallerMessage);
        else {
          this.#letIn(message, key);
          clearTimeout(timer);
        }
      },
      () => (this.#isKnown ? MESSAGE_LIMITS.call : MESSAGE_LIMITS.greeting),
    );
    send(socket, { protocol: PROTOCOL, version: programVersion(), nonce: this.#nonce });
  }

  end(): void {
    this.#socket.destroy();
  }

  #letIn(greeting: unknown, key: Buffer): void {
    const { nonce, proof } = (greeting ?? {}) as { nonce?: unknown; proof?: unknown };
    if (!(nonce instanceof Uint8Array) || !isProof(proof, proofOf(key, 'caller', this.#nonce, Buffer.from(nonce))))
      throw new Error('the caller does not know the key');
    this.#isKnown = true;
    send(this.#socket, {
      proof: proofOf(key, 'server', Buffer.from(nonce), this.#nonce),
      warnings: this.#engine.warnings,
    });
  }

  #take(message: CallerMessage): void {
    if (message.type === 'abort') this.#signals.get(message.stand)?.abort();
    else if (message.type === 'call') void this.#answer(message.id, () => this.#call(message));
    else if (message.type === 'end') {
      const ended = this.#many.get(message.id);
      this.#many.delete(message.id);
      void this.#answer(message.id, async () => {
        await ended?.return?.();
        return { type: 'done', id: message.id };
      });
    } else void this.#answer(message.id, () => this.#next(message.id));
  }

  async #answer(id: number, work: () => Promise<ServerMessage>): Promise<void> {
    let answer: ServerMessage;
    try {
      if (this.#calls >= CALLS) throw new RangeError(`a caller may have ${CALLS} calls at a time`);
      this.#calls++;
      try {
        answer = await work();
      } finally {
        this.#calls--;
      }
    } catch (cause) {
      answer = { type: 'error', id, error: sentError(cause) };
    }
    if (this.#socket.destroyed) return;
    try {
      send(this.#socket, answer);
    } catch (cause) {
      send(this.#socket, { type: 'error', id, error: sentError(cause) }); // The answer cannot be sent: tell so.
    }
  }

  async #call({ id, company, path, args }: Extract<CallerMessage, { type: 'call' }>): Promise<ServerMessage> {
    // A company cannot be sent; the caller needs its name as it is stored.
    if (company === undefined && path.join('.') === 'company')
      return { type: 'value', id, value: (await this.#engine.company(args[0] as string)).name };
    let owner: unknown;
    let found: unknown = this.#engine;
    let names = path;
    if (company !== undefined && path[0] === SERVED) {
      found = await this.#engine.served(company);
      names = path.slice(1);
    } else if (company !== undefined) found = await this.#engine.company(company);
    for (const name of names) {
      owner = found;
      found = NAME.test(name) && !REFUSED.has(name) ? (owner as Record<string, unknown>)[name] : undefined;
    }
    if (typeof found !== 'function') throw new TypeError(`${path.join('.')} is no call of the engine`);
    const result: unknown = found.apply(
      owner,
      args.map((arg) => this.#filledIn(arg)),
    );
    if (isMany(result)) {
      this.#many.set(id, result[Symbol.asyncIterator]());
      return { type: 'many', id };
    }
    return { type: 'value', id, value: await result };
  }

  async #next(id: number): Promise<ServerMessage> {
    const many = this.#many.get(id);
    if (many === undefined) return { type: 'done', id };
    try {
      const { done = false, value } = await many.next();
      if (!done) return { type: 'value', id, value };
    } catch (cause) {
      this.#many.delete(id);
      throw cause;
    }
    this.#many.delete(id);
    return { type: 'done', id };
  }

  /** An argument with signals and functions in place of what stood for them: itself, and the fields of options. */
  #filledIn(arg: unknown): unknown {
    if (typeof arg !== 'object' || arg === null) return arg;
    if ('$shapedex' in arg) return this.#filled(arg as Stand);
    if (Object.getPrototypeOf(arg) !== Object.prototype) return arg;
    return Object.fromEntries(
      Object.entries(arg as Record<string, unknown>).map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null && '$shapedex' in value ? this.#filled(value as Stand) : value,
      ]),
    );
  }

  #filled({ $shapedex: kind, id, aborted }: Stand): unknown {
    if (kind === 'function')
      return (...args: unknown[]) => {
        if (!this.#socket.destroyed && this.#socket.writableLength < WAITING_BYTES)
          send(this.#socket, { type: 'report', stand: id, args } satisfies ServerMessage);
      };
    const controller = new AbortController();
    if (aborted === true) controller.abort();
    this.#signals.set(id, controller);
    return controller.signal;
  }

  /** What the caller began ends with it. */
  #leave(): void {
    for (const controller of this.#signals.values()) controller.abort();
    for (const many of this.#many.values()) void many.return?.().catch(() => undefined); // Nobody is left to tell.
    this.#many.clear();
  }
}

function isMany(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
