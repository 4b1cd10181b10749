import { MessageChannel, Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { nextResponse, openSyncConnection } from './sync-connection.ts';

/** Notifies the waiting thread without a response, and sends one later. */
const LATE_NOTIFIER = `
const { workerData: { port, signal } } = require('node:worker_threads');
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
for (let nth = 0; nth < 5; nth += 1) {
  sleep(40);
  Atomics.notify(signal, 0);
}
port.postMessage({ kind: 'result', columns: [], rows: [[1]], changes: 0 });
Atomics.add(signal, 0, 1);
Atomics.notify(signal, 0);
`;

it('keeps waiting if it is notified before its response has arrived', async () => {
  const { port1: ours, port2: port } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const caller = new Worker(LATE_NOTIFIER, {
    eval: true,
    workerData: { port, signal },
    transferList: [port],
  });
  expect(nextResponse(ours, signal)).toMatchObject({ rows: [[1]] });
  ours.close();
  await caller.terminate();
});

it('throws at once when it is used after it was closed', () => {
  const connection = openSyncConnection({
    urls: ['postgres://127.0.0.1:1/none'],
    settings: {},
    isReadOnly: true,
    outcomeWait: 0,
  });
  connection.close();
  const send = () => connection.send({ kind: 'script', text: 'select 1' });
  expect(send).toThrow('The connection to the store is closed');
});
