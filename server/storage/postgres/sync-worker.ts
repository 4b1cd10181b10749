import { parentPort } from 'node:worker_threads';
import type { OpenSession, SyncRequest } from './sync-protocol.ts';
import { syncSession } from './sync-session.ts';

parentPort?.on('message', ({ options, port, signal }: OpenSession) => {
  const session = syncSession(options);
  let responded = Promise.resolve();
  port.on('message', (request: SyncRequest) => {
    responded = responded.then(async () => {
      const response = await session.respond(request);
      port.postMessage(response);
      Atomics.add(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  port.on('close', () => session.end());
});
