import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { abandonedChanges } from './abandoned-changes.ts';

/** An outbox of numbered changes. `settled` has the numbers that were settled. */
function madeOutbox(waiting: number[]) {
  const settled: number[] = [];
  return {
    waiting,
    settled,
    firstWaiting: () => (waiting.length === 0 ? null : `1 ${waiting[0]}`),
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
    const outbox = madeOutbox([1, 2, 3, 4]);
    const changes = abandonedChanges(outbox, unexpected);
    while (outbox.waiting.length > 0) {
      changes.look();
      await nextTurn();
      outbox.waiting.shift();
    }
    changes.look();
    expect(outbox.settled).toEqual([]);
  });

  it('are settled if they do not move, a few in each turn of the event loop', async () => {
    const outbox = madeOutbox([1, 2, 3]);
    const changes = abandonedChanges(outbox, unexpected);
    changes.look();
    await nextTurn();
    expect(outbox.settled).toEqual([]);
    changes.look();
    expect(outbox.settled).toEqual([1]);
    await nextTurn();
    expect(outbox.settled.length).toBeLessThan(3);
    await nextTurn();
    await nextTurn();
    expect(outbox.settled).toEqual([1, 2, 3]);
  });

  it('are tried again after a failure, which is reported', () => {
    const outbox = madeOutbox([1]);
    const { settleNext } = outbox;
    const failures: unknown[] = [];
    const changes = abandonedChanges(outbox, (error) => failures.push(error));
    outbox.settleNext = () => {
      throw new Error('The store is gone');
    };
    changes.look();
    changes.look();
    expect(failures).toEqual([new Error('The store is gone')]);
    outbox.settleNext = settleNext;
    changes.look();
    expect(outbox.settled).toEqual([1]);
  });

  it('are settled no further after a stop', async () => {
    const outbox = madeOutbox([1, 2, 3]);
    const changes = abandonedChanges(outbox, unexpected);
    changes.look();
    changes.look();
    changes.stop();
    await nextTurn();
    await nextTurn();
    expect(outbox.settled).toEqual([1]);
  });
});
