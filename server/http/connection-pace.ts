import type { Server } from 'node:http';
import { Socket } from 'node:net';

/** Whether a new connection from this address is taken; called once for each. */
export type TakesConnection = (address: string) => boolean;

/**
 * Closes new connections that are not taken, or have already been reset, before anybody hears of them: a parser and
 * timers for each of those that are opened and reset in a loop cost more than the requests that they never wait for.
 */
export function paceConnections(server: Server, takes: TakesConnection): void {
  const emit = server.emit.bind(server) as (...event: readonly unknown[]) => boolean;
  Object.assign(server, {
    emit(name: string, ...values: readonly unknown[]): boolean {
      const [socket] = values;
      if (name !== 'connection' || !(socket instanceof Socket) || isTaken(socket))
        return emit(name, ...values);
      socket.destroy();
      return true;
    },
  });

  function isTaken({ remoteAddress }: Socket): boolean {
    return remoteAddress !== undefined && takes(remoteAddress);
  }
}
