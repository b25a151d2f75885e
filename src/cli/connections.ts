import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../accounts/index.js';

/** Connections that a server holds at a time. */
export interface ConnectionBounds {
  readonly all: number;
  /** From one network address (of IPv6 the first 64 bits); undefined: no share, because a proxy is before the server. */
  readonly perNetwork: number | undefined;
}

/** Far below the files that a process may have open: the library needs some, too. */
export const CONNECTIONS: Required<ConnectionBounds> = Object.freeze({ all: 1_024, perNetwork: 256 });

/**
 * Keeps the connections of a server within bounds. Beyond them, the one that has had no request for the longest time
 * gives way, of the same network where its share is full; where all have one, the new one is closed. So neither silent
 * connections nor any number of them keep others out, and none takes the files that the library needs.
 */
export function boundConnections(
  server: Server,
  { all, perNetwork = Number.POSITIVE_INFINITY }: ConnectionBounds,
): void {
  const networks = new Map<Socket, string>();
  const counts = new Map<string, number>();
  /** Without a request now, in the order in which they began to be so. */
  const idle = new Set<Socket>();

  const makeRoom = (network: string | undefined): boolean => {
    for (const socket of idle) {
      if (network !== undefined && networks.get(socket) !== network) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const forget = (socket: Socket): void => {
    const network = networks.get(socket);
    idle.delete(socket);
    if (network === undefined || !networks.delete(socket)) return;
    const left = counts.get(network)! - 1;
    if (left > 0) counts.set(network, left);
    else counts.delete(network);
  };

  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress) ?? '';
    const isShareFull = (counts.get(network) ?? 0) >= perNetwork;
    if ((isShareFull && !makeRoom(network)) || (networks.size >= all && !makeRoom(undefined))) {
      socket.destroy();
      return;
    }
    networks.set(socket, network);
    counts.set(network, (counts.get(network) ?? 0) + 1);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (networks.has(socket)) idle.add(socket);
    });
  });
}
