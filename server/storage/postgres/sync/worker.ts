import { parentPort, workerData } from 'node:worker_threads';
import { ENDED, type OpenSession, type SyncRequest } from './protocol.ts';
import { syncSession } from './session.ts';

const SIGN_EVERY_MS = 1_000;

/** Shows the blocked main thread that this worker is alive. */
const life = workerData as Int32Array;
let sign = 0;
setInterval(() => {
  // Counts only while the value is ours: the other thread overwrites it to end this worker.
  if (Atomics.compareExchange(life, 0, sign, sign + 1) === sign) sign += 1;
}, SIGN_EVERY_MS).unref();
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
