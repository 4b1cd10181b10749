import type { Server } from 'node:http';
import { Socket } from 'node:net';

/** Gives a new connection to its parser, now or later, by calling `parse`; or closes it. */
export type ReceivesConnection = (socket: Socket, parse: () => void) => void;

/**
 * Decides about new connections before anybody hears of them: a parser and timers for each of those that are opened and
 * reset in a loop cost more than the requests that they never wait for.
 */
export function onNewConnections(server: Server, receive: ReceivesConnection): void {
  const emit = server.emit.bind(server) as (...event: readonly unknown[]) => boolean;
  Object.assign(server, {
    emit(name: string, ...values: readonly unknown[]): boolean {
      const [socket] = values;
      if (name !== 'connection' || !(socket instanceof Socket)) return emit(name, ...values);
      receive(socket, () => void emit('connection', socket));
      return true;
    },
  });
}
