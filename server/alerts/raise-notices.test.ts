import { expect, it } from 'vitest';
import { noticeRaiser } from './raise-notices.ts';

/** Notices of a store that answers when the test says so. */
function notices() {
  const stored = [{ id: 1, text: 'old' }];
  const raised: string[] = [];
  const reads: (() => void)[] = [];
  let fails = false;
  const raiseNew = noticeRaiser(
    (after) =>
      new Promise((resolve, reject) => {
        reads.push(() =>
          fails ? reject(new Error('no answer')) : resolve(stored.filter(({ id }) => id > after)),
        );
      }),
    (text) => raised.push(text),
  );
  return {
    raised,
    raiseNew,
    add: (id: number, text: string) => stored.push({ id, text }),
    answer(isFailure = false) {
      fails = isFailure;
      for (const read of reads.splice(0)) read();
    },
  };
}

it('raises each new notice once, and none that was there before', async () => {
  const { raised, raiseNew, add, answer } = notices();
  for (const id of [2, 3]) {
    const poll = raiseNew();
    answer();
    await poll;
    add(id, `new ${id}`);
  }
  const last = raiseNew();
  answer();
  await last;
  expect(raised).toEqual(['new 2', 'new 3']);
});

it('raises a notice once if the store answers later than the next poll begins', async () => {
  const { raised, raiseNew, add, answer } = notices();
  const first = raiseNew();
  answer();
  await first;
  add(2, 'new');
  const polls = [raiseNew(), raiseNew(), raiseNew()];
  answer();
  await Promise.all(polls);
  expect(raised).toEqual(['new']);
});

it('reads again after a failure', async () => {
  const { raised, raiseNew, add, answer } = notices();
  const first = raiseNew();
  answer();
  await first;
  add(2, 'new');
  const failing = raiseNew();
  answer(true);
  await expect(failing).rejects.toThrow('no answer');
  const next = raiseNew();
  answer();
  await next;
  expect(raised).toEqual(['new']);
});
