import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tally } from '../lib/tally.ts';

/** A connection's own network; null where it stands for many clients. */
export type ConnectionNetwork = string | null;

export interface OpenConnection {
  socket: Socket;
  network: ConnectionNetwork;
  /** The requests without a complete response. */
  waiting: Set<ServerResponse>;
}

/** The open connections of a server, the one used last at the end. */
export interface OpenConnections {
  /** Makes room if there is none, and adds a connection. False: it was not added, because there is no room. */
  add(socket: Socket, network: ConnectionNetwork): boolean;
  /** The requests without a complete response; undefined: the connection is not open. */
  waitingOn(socket: Socket): Set<ServerResponse> | undefined;
  /** Notes that a connection was used. */
  used(socket: Socket): void;
  [Symbol.iterator](): Iterator<Readonly<OpenConnection>>;
}

/**
 * At most `most` connections. With the most open, a new one takes the place of one of the network that has more than all
 * others, of one without a request first: else one client with thousands of connections would keep everybody out. Where
 * all have alike, it takes that of the one without a request for the longest time.
 */
export function openConnections(most: number): OpenConnections {
  const open = new Map<Socket, OpenConnection>();
  const counts = tally();

  function remove(socket: Socket): void {
    const connection = open.get(socket);
    if (connection === undefined) return;
    open.delete(socket);
    const { network } = connection;
    if (network !== null) counts.takeOff(network);
  }

  function countOf(network: ConnectionNetwork): number {
    return network === null ? 0 : counts.of(network);
  }

  function longestIdle(isCandidate: (connection: OpenConnection) => boolean): Socket | undefined {
    for (const [socket, connection] of open) {
      if (connection.waiting.size === 0 && isCandidate(connection)) return socket;
    }
    return undefined;
  }

  function firstOf(network: string): Socket | undefined {
    for (const [socket, connection] of open) if (connection.network === network) return socket;
    return undefined;
  }

  /** Whose place a new connection of a network takes. */
  function leaving(newcomer: ConnectionNetwork): Socket | undefined {
    const own = countOf(newcomer);
    let heaviest = { network: '', count: 1 };
    for (const [network, count] of counts) if (count > heaviest.count) heaviest = { network, count };
    const isOf = (network: ConnectionNetwork) => (connection: OpenConnection) =>
      connection.network === network;
    if (heaviest.count > own + 1) {
      return longestIdle(isOf(heaviest.network)) ?? firstOf(heaviest.network);
    }
    return longestIdle(own > 1 ? isOf(newcomer) : () => true);
  }

  return {
    add(socket, network) {
      if (open.size >= most) {
        const old = leaving(network);
        if (old === undefined) return false;
        remove(old);
        old.destroy();
      }
      open.set(socket, { socket, network, waiting: new Set() });
      if (network !== null) counts.add(network);
      socket.once('close', () => remove(socket));
      return true;
    },
    waitingOn: (socket) => open.get(socket)?.waiting,
    used(socket) {
      const connection = open.get(socket);
      if (connection === undefined || socket.destroyed) return;
      open.delete(socket);
      open.set(socket, connection);
    },
    [Symbol.iterator]: () => open.values(),
  };
}
