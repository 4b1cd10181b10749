import { expect, it } from 'vitest';
import { standing } from './standing.ts';

/** A queue, and the passing of time in which work waits or does not. */
function queueWithTime() {
  let at = 5_000;
  const queue = standing(() => at);
  const pass = (ms: number, hasWaiting: boolean) => {
    queue.note(hasWaiting);
    at += ms;
  };
  return { queue, pass };
}

it('stands after a second of waiting, however often it is empty for a moment', () => {
  const { queue, pass } = queueWithTime();
  for (let nth = 0; nth < 9; nth += 1) {
    expect(queue.isStanding()).toBe(false);
    pass(125, true);
    pass(5, false);
  }
  expect(queue.isStanding()).toBe(true);
});

it('stands until nothing has waited for a second, however long it stood', () => {
  const { queue, pass } = queueWithTime();
  pass(60_000, true);
  for (let nth = 0; nth < 3; nth += 1) {
    pass(900, false);
    expect(queue.isStanding()).toBe(true);
    pass(900, true);
  }
  pass(1_001, false);
  expect(queue.isStanding()).toBe(false);
});

it('does not stand while work waits for less than half of the time', () => {
  const { queue, pass } = queueWithTime();
  for (let nth = 0; nth < 100; nth += 1) {
    pass(400, true);
    pass(500, false);
    expect(queue.isStanding()).toBe(false);
  }
});
