import { describe, expect, it, vi } from 'vitest';
import { INTERNAL_CALLER } from './caller.ts';
import { deadlineIn } from './deadline.ts';
import { workQueue } from './work-queue.ts';

const caller = (client: string, change: Partial<typeof INTERNAL_CALLER> = {}) => ({
  ...INTERNAL_CALLER,
  client,
  ...change,
});

/** A queue, and the clients whose tasks have started, in order. */
function queueOf(change: Partial<Parameters<typeof workQueue>[0]> = {}) {
  const queue = workQueue({
    name: 'test',
    concurrency: 1,
    maxWaiting: 6,
    maxWaitingOfClient: 3,
    maxWaitMs: 1_000,
    ...change,
  });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (client: string, by = caller(client)) =>
    queue
      .run(by, (signal) => {
        begun.push(client);
        return new Promise<string>((resolve, reject) => {
          ends.push(() => resolve(`done for ${client}`));
          signal.addEventListener('abort', () => reject(new Error('Ended')));
        });
      })
      .catch(({ name }: Error) => name);
  /** Ends the oldest running task. */
  const endFirst = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { queue, begun, ask, endFirst };
}

it('runs tasks up to its limit, round-robin by client', async () => {
  const { queue, begun, ask, endFirst } = queueOf({ concurrency: 2 });
  const asked = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((client) => ask(client));
  expect(queue.status()).toMatchObject({ running: 2, waiting: 5 });
  for (let nth = 0; nth < asked.length; nth += 1) await endFirst();
  expect(begun).toEqual(['a', 'a', 'a', 'b', 'c', 'a', 'b']);
  expect(await Promise.all(asked)).toContain('done for c');
  await queue.idle();
  expect(queue.status()).toMatchObject({ running: 0, waiting: 0, oldestMs: 0 });
});

describe('rejects with Overloaded', () => {
  it('a task that finds the queue full, in total or for its client', async () => {
    const { queue, ask } = queueOf();
    for (const client of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void ask(client);
    expect(await ask('a')).toBe('Overloaded');
    expect(await ask('d')).toBe('Overloaded');
    expect(queue.status()).toMatchObject({ waiting: 6, refused: { full: 2, late: 0, gone: 0 } });
  });

  it('a task that has waited too long, without starting it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { begun, ask, endFirst } = queueOf();
      void ask('a');
      const late = [ask('b'), ask('c', caller('c', { deadline: deadlineIn(200) }))];
      vi.advanceTimersByTime(200);
      expect(await late[1]).toBe('Overloaded');
      vi.advanceTimersByTime(800);
      expect(await late[0]).toBe('Overloaded');
      await endFirst();
      expect(begun).toEqual(['a']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a running task whose deadline passes, and aborts its signal', async () => {
    const { queue, ask } = queueOf();
    const asked = ask('a', caller('a', { deadline: deadlineIn(20) }));
    expect(queue.status().running).toBe(1);
    expect(await asked).toBe('Overloaded');
    expect(await ask('b', caller('b', { deadline: deadlineIn(0) }))).toBe('Overloaded');
  });
});

it('cancels the tasks of a client that disconnects, started or not', async () => {
  const { queue, begun, ask } = queueOf();
  const gone = new AbortController();
  const asked = ['a', 'b'].map((client) => ask(client, caller(client, { signal: gone.signal })));
  gone.abort();
  expect(await Promise.all(asked)).toEqual(['CallerGone', 'CallerGone']);
  expect(await ask('c', caller('c', { signal: gone.signal }))).toBe('CallerGone');
  expect(begun).toEqual(['a']);
  expect(queue.status()).toMatchObject({ running: 0, waiting: 0, refused: { gone: 3 } });
});

it("rejects with a task's error, then continues with other tasks", async () => {
  const { queue } = queueOf();
  await expect(queue.run(caller('a'), () => Promise.reject(new Error('Failed')))).rejects.toThrow('Failed');
  expect(await queue.run(caller('a'), async () => 'done')).toBe('done');
});
