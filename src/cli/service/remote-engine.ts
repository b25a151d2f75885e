import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { EngineError, type Engine, type LibraryWarning } from '../../index.js';
import { isSignal } from '../../signals.js';
import { findDoor, isProof, proofOf, type Door } from './door.js';
import {
  MESSAGE_LIMITS,
  PROTOCOL,
  receive,
  receivedError,
  SERVED,
  send,
  type CallerMessage,
  type ServerMessage,
  type Stand,
} from './messages.js';
import { programVersion } from './version.js';

/** Time in which a server must answer the greeting, ms. */
const GREETING_MS = 10_000;

/**
 * An engine that another process of this user has open and lets commands use: its calls, and those of its companies and
 * accounts, are made there. `close` only ends the connection. Undefined: nobody lets commands in.
 * @throws EngineError `LIBRARY_LOCKED` when the server is of another version.
 */
export async function remoteEngine(library: string): Promise<Engine | undefined> {
  const door = await findDoor(library);
  if (door === undefined) return undefined;
  try {
    const socket = await connected(door.address);
    if (socket === undefined) return undefined;
    const connection = new Connection(socket);
    const warnings = await connection.greet(door, library);
    // The calls that commands make of an engine; it is one, to them.
    return engineBy(connection, warnings) as unknown as Engine;
  } finally {
    await door.close();
  }
}

function connected(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined)); // Left by a process that died.
  });
}

function engineBy(connection: Connection, warnings: readonly LibraryWarning[]): unknown {
  // Made there if it is new, under the name as it is stored.
  const labelOf = async (name: string): Promise<string> =>
    (await connection.call(undefined, ['company'], [name])) as string;
  return callable(connection, undefined, [], {
    warnings,
    close: async () => connection.end(),
    company: async (name: string) => {
      const label = await labelOf(name);
      return callable(connection, label, [], { name: label });
    },
    served: async (name: string) => callable(connection, await labelOf(name), [SERVED], {}),
  });
}

/** An object whose methods, and those of its properties, are called at the other end. */
function callable(
  connection: Connection,
  company: string | undefined,
  path: readonly string[],
  own: Readonly<Record<string, unknown>>,
): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) => {
      // A promise that resolves to this must not take it for another promise.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return Object.hasOwn(own, name) ? own[name] : callable(connection, company, [...path, name], {});
    },
    apply: (_, __, args: unknown[]) => connection.call(company, path, args),
  });
}

interface Waiting {
  readonly resolve: (message: ServerMessage) => void;
  readonly reject: (reason: unknown) => void;
}

class Connection {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #functions = new Map<number, (...args: unknown[]) => unknown>();
  #count = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined); // 'close' follows and tells all who wait.
    socket.on('close', () => this.#fail());
  }

  /** Both sides prove to know the key; then calls may follow. Returns the warnings of the library. */
  async greet({ key }: Door, library: string): Promise<readonly LibraryWarning[]> {
    let isKnown = false;
    const greetings = new Greetings(this.#socket);
    receive(
      this.#socket,
      (message) => (isKnown ? this.#take(message as ServerMessage) : greetings.put(message)),
      () => (isKnown ? MESSAGE_LIMITS.call : MESSAGE_LIMITS.greeting),
    );
    const hello = (await greetings.next()) as { protocol?: unknown; version?: unknown; nonce?: unknown };
    if (hello.protocol !== PROTOCOL || hello.version !== programVersion()) {
      this.end();
      throw new EngineError(
        'LIBRARY_LOCKED',
        `the library ${library} is open in shapedex ${String(hello.version)}, which a command of ${programVersion()} cannot use`,
      );
    }
    const theirs = Buffer.from(hello.nonce as Uint8Array);
    const nonce = randomBytes(16);
    send(this.#socket, { nonce, proof: proofOf(key, 'caller', theirs, nonce) });
    const answer = (await greetings.next()) as { proof?: unknown; warnings: readonly LibraryWarning[] };
    if (!isProof(answer.proof, proofOf(key, 'server', nonce, theirs))) {
      this.end();
      throw new EngineError('LIBRARY_LOCKED', `what answers for the library ${library} does not know its key`);
    }
    isKnown = true;
    greetings.end();
    return answer.warnings;
  }

  /** The value of a call, or its values one by one: whichever it has. */
  call(company: string | undefined, path: readonly string[], args: readonly unknown[]): Promise<unknown> {
    const stands: number[] = [];
    const sent = args.map((arg) => this.#standsIn(arg, stands));
    const id = ++this.#count;
    const answer = this.#ask({ type: 'call', id, ...(company !== undefined && { company }), path, args: sent });
    const forget = (): void => stands.forEach((stand) => this.#functions.delete(stand));
    const value = answer.then((message) => {
      if (message.type !== 'many') forget();
      return message.type === 'value' ? message.value : undefined;
    });
    return Object.assign(value, {
      [Symbol.asyncIterator]: () => {
        value.catch(() => undefined); // The iterator tells it.
        return this.#values(id, answer, forget);
      },
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  async *#values(id: number, answer: Promise<ServerMessage>, forget: () => void): AsyncGenerator<unknown> {
    await answer;
    let isOver = false;
    try {
      for (;;) {
        const message = await this.#ask({ type: 'next', id }).catch((cause: unknown) => {
          isOver = true;
          throw cause;
        });
        isOver = message.type !== 'value';
        if (message.type !== 'value') return;
        yield message.value;
      }
    } finally {
      if (!isOver) await this.#ask({ type: 'end', id });
      forget();
    }
  }

  #ask(message: Extract<CallerMessage, { id: number }>): Promise<ServerMessage> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(stopped());
      this.#waiting.set(message.id, { resolve, reject });
      send(this.#socket, message);
    });
  }

  #take(message: ServerMessage): void {
    if (message.type === 'report') {
      this.#functions.get(message.stand)?.(...message.args);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'error') waiting?.reject(receivedError(message.error));
    else waiting?.resolve(message);
  }

  #fail(): void {
    for (const { reject } of this.#waiting.values()) reject(stopped());
    this.#waiting.clear();
  }

  /** An argument as it is sent: signals and functions, also as fields of options, have something stand in for them. */
  #standsIn(arg: unknown, stands: number[]): unknown {
    const one = (value: unknown): unknown => {
      if (typeof value === 'function') return this.#standOf(value as () => unknown, stands);
      return isSignal(value) ? this.#standOfSignal(value) : value;
    };
    if (typeof arg !== 'object' || arg === null || Object.getPrototypeOf(arg) !== Object.prototype) return one(arg);
    return Object.fromEntries(
      Object.entries(arg as Record<string, unknown>).map(([name, value]) => [name, one(value)]),
    );
  }

  #standOf(called: (...args: unknown[]) => unknown, stands: number[]): Stand {
    const id = ++this.#count;
    this.#functions.set(id, called);
    stands.push(id);
    return { $shapedex: 'function', id };
  }

  #standOfSignal(signal: AbortSignal): Stand {
    const id = ++this.#count;
    const abort = (): void => {
      if (!this.#socket.destroyed) send(this.#socket, { type: 'abort', stand: id } satisfies CallerMessage);
    };
    signal.addEventListener('abort', abort, { once: true });
    return { $shapedex: 'signal', id, aborted: signal.aborted };
  }
}

/** The first messages, before calls. */
class Greetings {
  readonly #here: unknown[] = [];
  #wanted: Waiting | undefined;
  readonly #timer: NodeJS.Timeout;
  #failed = false;

  constructor(socket: Socket) {
    this.#timer = setTimeout(() => socket.destroy(), GREETING_MS);
    socket.on('close', () => {
      this.#failed = true;
      this.end();
      this.#wanted?.reject(stopped());
    });
  }

  put(message: unknown): void {
    if (this.#wanted === undefined) this.#here.push(message);
    else this.#wanted.resolve(message as ServerMessage);
    this.#wanted = undefined;
  }

  next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#here.length > 0) resolve(this.#here.shift());
      else if (this.#failed) reject(stopped());
      else this.#wanted = { resolve, reject };
    });
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function stopped(): EngineError {
  return new EngineError('ENGINE_CLOSED', 'the process that has the library open has stopped');
}
