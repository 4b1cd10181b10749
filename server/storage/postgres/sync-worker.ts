import { parentPort } from 'node:worker_threads';
import type { OpenSession, SyncRequest } from './sync-protocol.ts';
import { syncSession } from './sync-session.ts';

parentPort?.on('message', ({ options, port, signal }: OpenSession) => {
  const session = syncSession(options);
  port.on('message', (request: SyncRequest) => {
    void session.respond(request).then((response) => {
      port.postMessage(response);
      Atomics.add(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  port.on('close', () => session.end());
});
