import { describe, expect, it } from 'vitest';
import { abandonedChanges } from './abandoned-changes.ts';

/** A queue of numbered changes. `settled` has the numbers that were settled. */
function madeQueue(waiting: number[]) {
  const settled: number[] = [];
  return {
    waiting,
    settled,
    head: () => (waiting.length === 0 ? null : `1 ${waiting[0]}`),
    settleNext() {
      const next = waiting.shift();
      if (next === undefined) return false;
      settled.push(next);
      return true;
    },
  };
}

const unexpected = (error: unknown) => {
  throw error;
};

describe('Price changes of importers', () => {
  it('are left to an importer that settles them', async () => {
    const queue = madeQueue([1, 2, 3, 4]);
    const changes = abandonedChanges(queue, unexpected);
    while (queue.waiting.length > 0) {
      await changes.look();
      queue.waiting.shift();
    }
    await changes.look();
    expect(queue.settled).toEqual([]);
  });

  it('are settled if they do not move, a few in each turn of the event loop', async () => {
    const queue = madeQueue([1, 2, 3]);
    const changes = abandonedChanges(queue, unexpected);
    await changes.look();
    expect(queue.settled).toEqual([]);
    const looking = changes.look();
    expect(queue.settled).toEqual([1]);
    await looking;
    expect(queue.settled).toEqual([1, 2, 3]);
  });

  it('are tried again after a failure, which is reported', async () => {
    const queue = madeQueue([1]);
    const { settleNext } = queue;
    const failures: unknown[] = [];
    const changes = abandonedChanges(queue, (error) => failures.push(error));
    queue.settleNext = () => {
      throw new Error('The store is gone');
    };
    await changes.look();
    await changes.look();
    expect(failures).toEqual([new Error('The store is gone')]);
    queue.settleNext = settleNext;
    await changes.look();
    expect(queue.settled).toEqual([1]);
  });

  it('are settled no further after a stop', async () => {
    const queue = madeQueue([1, 2, 3]);
    const changes = abandonedChanges(queue, unexpected);
    await changes.look();
    const looking = changes.look();
    changes.stop();
    await looking;
    expect(queue.settled).toEqual([1]);
  });
});
