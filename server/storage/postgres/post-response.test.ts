import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { postResponse } from './post-response.ts';
import type { SyncResponse } from './sync-protocol.ts';

function posted(response: SyncResponse): unknown {
  const { port1: theirs, port2: ours } = new MessageChannel();
  postResponse(theirs, response);
  const message = receiveMessageOnPort(ours)?.message;
  theirs.close();
  return message;
}

const FAILED = { kind: 'failed', isTransient: true, isOutcomeUnknown: false, code: '57P01' } as const;

it('posts what a request has failed by', () => {
  const error = new Error('no connection', { cause: new Error('refused') });
  expect(posted({ ...FAILED, error })).toEqual({ ...FAILED, error });
});

it('posts the messages of an error that cannot be copied to another thread', () => {
  const error = new Error('no connection', { cause: () => {} });
  expect(posted({ ...FAILED, error })).toMatchObject({
    ...FAILED,
    error: { message: expect.stringContaining('no connection') },
  });
});

it('posts a failure instead of a result that cannot be copied', () => {
  const value = (() => {}) as unknown as string;
  expect(posted({ kind: 'result', columns: ['a'], rows: [[value]], changes: 1 })).toMatchObject({
    kind: 'failed',
    isTransient: false,
  });
});
