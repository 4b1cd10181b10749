import { type MessagePort, parentPort } from 'node:worker_threads';
import type { LinkQuestion, LinkSetting } from './sync-connection.ts';
import { linkConnection } from './sync-session.ts';

/** What `postgresLink` hands over: where it is asked and answers, and the number that it raises with each answer. */
export interface LinkOrder {
  setting: LinkSetting;
  port: MessagePort;
  signal: Int32Array;
}

parentPort?.on('message', ({ setting, port, signal }: LinkOrder) => {
  const connection = linkConnection(setting);
  port.on('message', (question: LinkQuestion) => {
    void connection.answer(question).then((answer) => {
      port.postMessage(answer);
      Atomics.add(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  port.on('close', () => connection.end());
});
