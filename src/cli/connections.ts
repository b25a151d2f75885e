import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../accounts/index.js';

/** Connections that a server holds at a time. */
export interface ConnectionBounds {
  readonly all: number;
  /**
   * From one network address (of IPv6 the first 64 bits); undefined: no share, because a proxy is before the server.
   */
  readonly perNetwork: number | undefined;
}

/** Far below the files that a process may have open: the library needs some, too. */
export const CONNECTIONS: Required<ConnectionBounds> = Object.freeze({ all: 1_024, perNetwork: 256 });

/**
 * Time for which a connection without a request is left alone while another one can give way, ms: it may just begin.
 */
const BEGIN_MS = 1_000;

/** A connection that is held. */
interface Held {
  readonly network: string;
  /** Undefined: it has no request now. */
  request: IncomingMessage | undefined;
  /** Since when it has had this request, or none, by `performance.now()`. */
  sinceMs: number;
  /** Bytes that it had moved by then. */
  movedBytes: number;
}

/**
 * Keeps the connections of a server within bounds. A network whose share is full makes room for itself: its connection
 * that has had no request for the longest time gives way, or the new one is closed. Where all places are taken, these
 * give way, in this order: whoever has had no request for the longest time; of the networks that hold more than the new
 * one would, the largest first, the slowest whose client does not take its answer or does not send its request, then
 * one that has just come, then the one whose request has taken longest. So neither silent connections nor answers that
 * nobody reads keep out those who hold few, and none takes the files that the library needs.
 */
export function boundConnections(
  server: Server,
  { all, perNetwork = Number.POSITIVE_INFINITY }: ConnectionBounds,
): void {
  const held = new Map<Socket, Held>();
  const counts = new Map<string, number>();
  /** Without a request now, in the order in which they began to be so. */
  const idle = new Set<Socket>();

  const forget = (socket: Socket): void => {
    const entry = held.get(socket);
    idle.delete(socket);
    if (entry === undefined || !held.delete(socket)) return;
    const left = counts.get(entry.network)! - 1;
    if (left > 0) counts.set(entry.network, left);
    else counts.delete(entry.network);
  };
  const end = (socket: Socket | undefined): boolean => {
    if (socket === undefined) return false;
    forget(socket);
    socket.destroy();
    return true;
  };
  const makeRoomIn = (network: string): boolean => {
    for (const socket of idle) if (held.get(socket)!.network === network) return end(socket);
    return false;
  };
  const makeRoom = (network: string): boolean => {
    const now = performance.now();
    const [longestIdle] = idle;
    if (longestIdle !== undefined && now - held.get(longestIdle)!.sinceMs > BEGIN_MS) return end(longestIdle);
    const own = counts.get(network) ?? 0;
    // With one place fewer than the network of the new one they would only change places.
    const larger = [...counts].filter(([, count]) => count > own + 1).sort(([, a], [, b]) => b - a);
    // Sorted by network once: whoever has many networks may open connections faster than these are looked through.
    const busyOf = new Map<string, (readonly [Socket, Held])[]>(larger.map(([name]) => [name, []]));
    for (const one of held) if (one[1].request !== undefined) busyOf.get(one[1].network)?.push(one);
    const idleOf = new Map<string, Socket>();
    for (const socket of idle) {
      const { network: name } = held.get(socket)!;
      if (!idleOf.has(name)) idleOf.set(name, socket);
    }
    for (const [name, busy] of busyOf) if (end(slowest(busy, now) ?? idleOf.get(name))) return true;
    for (const busy of busyOf.values()) if (end(longestIn(busy))) return true;
    return end(longestIdle);
  };

  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress) ?? '';
    const isShareFull = (counts.get(network) ?? 0) >= perNetwork;
    if ((isShareFull && !makeRoomIn(network)) || (held.size >= all && !makeRoom(network))) {
      socket.destroy();
      return;
    }
    held.set(socket, { network, request: undefined, sinceMs: performance.now(), movedBytes: 0 });
    counts.set(network, (counts.get(network) ?? 0) + 1);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const entry = held.get(socket);
    if (entry === undefined) return;
    idle.delete(socket);
    Object.assign(entry, { request, sinceMs: performance.now(), movedBytes: movedBy(socket) });
    response.once('close', () => {
      if (!held.has(socket) || entry.request !== request) return;
      Object.assign(entry, { request: undefined, sinceMs: performance.now() });
      idle.add(socket);
    });
  });
}

function movedBy(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}

/** Of connections with a request, one that waits for its client, which has moved the fewest bytes a second. */
function slowest(busy: readonly (readonly [Socket, Held])[], now: number): Socket | undefined {
  let found: Socket | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [socket, { request, sinceMs, movedBytes }] of busy) {
    if (socket.writableLength === 0 && request!.complete) continue;
    const rate = (movedBy(socket) - movedBytes) / (now - sinceMs + BEGIN_MS);
    if (rate < least) [found, least] = [socket, rate];
  }
  return found;
}

function longestIn(busy: readonly (readonly [Socket, Held])[]): Socket | undefined {
  let found: readonly [Socket, Held] | undefined;
  for (const one of busy) if (found === undefined || one[1].sinceMs < found[1].sinceMs) found = one;
  return found?.[0];
}
