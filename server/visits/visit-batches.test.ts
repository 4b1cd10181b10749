import { expect, it } from 'vitest';
import type { SiteVisit, VisitOutcome } from './record-visits.ts';
import { visitBatches } from './visit-batches.ts';

const visitOf = (itemKey: string): SiteVisit => ({
  itemKey,
  price: 100,
  visitedAt: 1,
  isShown: true,
  client: 1,
});

/** Batches that are written when the test calls `run`. A package without a key is unknown. */
function batches() {
  const written: string[][] = [];
  const tasks: (() => Promise<void>)[] = [];
  let fails = false;
  const record = visitBatches(
    async (visits): Promise<VisitOutcome[]> => {
      if (fails) throw new Error('the store is locked');
      written.push(visits.map(({ itemKey }) => itemKey));
      return visits.map(({ itemKey }) => (itemKey === '' ? 'unknown package' : 'recorded'));
    },
    (task) => tasks.push(task),
  );
  return {
    written,
    record,
    run: () => tasks.shift()?.(),
    fail: (value: boolean) => {
      fails = value;
    },
  };
}

it("writes visits that arrive together in one batch, and returns each one's own outcome", async () => {
  const { written, record, run } = batches();
  const first = [record(visitOf('a')), record(visitOf('')), record(visitOf('b'))];
  expect(written).toEqual([]);
  await run();
  const second = record(visitOf('c'));
  await run();
  expect(written).toEqual([['a', '', 'b'], ['c']]);
  await expect(Promise.all(first)).resolves.toEqual(['recorded', 'unknown package', 'recorded']);
  await expect(second).resolves.toBe('recorded');
});

it('rejects all visits of a batch that is not written, and writes the next batch', async () => {
  const { record, run, fail } = batches();
  const first = [record(visitOf('a')), record(visitOf('b'))];
  fail(true);
  await run();
  const outcomes = await Promise.allSettled(first);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fail(false);
  const next = record(visitOf('c'));
  await run();
  await expect(next).resolves.toBe('recorded');
});
