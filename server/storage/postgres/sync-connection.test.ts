import { MessageChannel, Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { nextAnswer } from './sync-connection.ts';

/** Calls whoever waits without an answer, and gives one later. */
const LATE_CALLER = `
const { workerData: { port, signal } } = require('node:worker_threads');
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
for (let calls = 0; calls < 5; calls += 1) {
  sleep(40);
  Atomics.notify(signal, 0);
}
port.postMessage({ kind: 'result', columns: [], rows: [[1]], changes: 0 });
Atomics.add(signal, 0, 1);
Atomics.notify(signal, 0);
`;

it('waits on where it was called before its answer was there', async () => {
  const { port1: ours, port2: port } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const caller = new Worker(LATE_CALLER, {
    eval: true,
    workerData: { port, signal },
    transferList: [port],
  });
  expect(nextAnswer(ours, signal)).toMatchObject({ rows: [[1]] });
  ours.close();
  await caller.terminate();
});
