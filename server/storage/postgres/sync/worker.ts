import { parentPort, workerData } from 'node:worker_threads';
import { ENDED, type OpenSession, type SyncRequest } from './protocol.ts';
import { syncSession } from './session.ts';

/** Milliseconds between two signs of life. */
const SIGN_EVERY = 1_000;

/** The thread that waits for this one is blocked: it hears of its end in no other way. */
const life = workerData as Int32Array;
let sign = 0;
setInterval(() => {
  // Not once it is given up: then it ends.
  if (Atomics.compareExchange(life, 0, sign, sign + 1) === sign) sign += 1;
}, SIGN_EVERY).unref();
process.once('exit', () => Atomics.store(life, 0, ENDED));

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
