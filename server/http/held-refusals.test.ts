import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { tally } from '../lib/tally.ts';
import { heldRefusals } from './held-refusals.ts';

const socket = new Socket();

/** Refuses so many requests of networks at once. Returns the milliseconds after which each was sent, in that order. */
function refuse(count: number, networkOf: (nth: number) => string, { isOwnFault = false } = {}) {
  const clock = virtualClock();
  const refusals = heldRefusals(clock);
  const from = clock.now();
  const sentAfter: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const refusal = { network: networkOf(nth), socket, since: from, isOwnFault };
    refusals.hold(refusal, () => sentAfter.push(clock.now() - from));
  }
  return { refusals, clock, sentAfter };
}

/** The largest number of these times within one span of so many milliseconds. */
function mostTogether(times: readonly number[], within: number): number {
  const together = Map.groupBy(times, (time) => Math.floor(time / within));
  return Math.max(...[...together.values()].map(({ length }) => length));
}

it('sends the first refusals of a network at once, and the others within a second', async () => {
  const { clock, sentAfter } = refuse(40, () => 'one');
  expect(sentAfter).toEqual(Array(10).fill(0));
  await clock.advance(600);
  expect(sentAfter).toHaveLength(10);
  await clock.advance(300);
  expect(sentAfter).toHaveLength(40);
});

it('spreads the refusals of one network over time, so that its clients do not ask again together', async () => {
  const { clock, sentAfter } = refuse(100, () => 'one');
  for (let ms = 0; ms < 900; ms += 1) await clock.advance(1);
  const held = sentAfter.filter((after) => after > 0);
  expect(held).toHaveLength(90);
  expect(held).toEqual(held.toSorted((one, other) => one - other));
  expect(mostTogether(held, 10)).toBeLessThan(12);
});

it('spreads a burst of refusals over all of the time that they may be held', async () => {
  const { clock, sentAfter } = refuse(1_960, () => 'one');
  for (let ms = 0; ms < 900; ms += 1) await clock.advance(1);
  const held = sentAfter.filter((after) => after > 0);
  expect(held).toHaveLength(1_950);
  expect(Math.min(...held)).toBeGreaterThan(195);
  expect(mostTogether(held, 50)).toBeLessThanOrEqual(150);
});

it('keeps them spread when clients that have asked together ask again at once', async () => {
  const clock = virtualClock();
  const refusals = heldRefusals(clock);
  const sentAt: number[] = [];
  const ask = () =>
    refusals.hold({ network: 'one', socket, since: clock.now(), isOwnFault: false }, () => {
      sentAt.push(clock.now());
      ask();
    });
  for (let client = 0; client < 1_000; client += 1) ask();
  const from = clock.now();
  for (let ms = 0; ms < 4_000; ms += 1) await clock.advance(1);
  const later = sentAt.filter((at) => at > from + 1_000);
  expect(mostTogether(later, 50)).toBeLessThan(100);
  // Each client has waited for 0.85 seconds in between, but for the first burst.
  expect(later.length).toBeLessThan(1_000 * (3_000 / 850) * 1.1);
});

it('sends all that are due when its timer is late', async () => {
  const { clock, sentAfter } = refuse(60, () => 'one');
  clock.block(2_000);
  await clock.advance(1);
  expect(sentAfter).toHaveLength(60);
});

it('gives a network 600 refusals a second at most for its own doing, and others theirs in time', async () => {
  const { refusals, clock, sentAfter } = refuse(2_010, () => 'one', { isOwnFault: true });
  let otherSentAt = 0;
  for (let nth = 0; nth <= 10; nth += 1) {
    refusals.hold({ network: 'other', socket, since: clock.now(), isOwnFault: true }, () => {
      otherSentAt = clock.now();
    });
  }
  const from = clock.now();
  for (let ms = 0; ms < 4_000; ms += 1) await clock.advance(1);
  const held = sentAfter.filter((after) => after > 0);
  expect(held).toHaveLength(2_000);
  expect(mostTogether(held, 500)).toBeLessThan(450);
  expect(otherSentAt - from).toBeLessThan(900);
});

it('holds no refusal for more than five seconds', async () => {
  const { clock, sentAfter } = refuse(5_000, () => 'one', { isOwnFault: true });
  await clock.advance(5_000);
  expect(sentAfter).toHaveLength(5_000);
});

it('sends everything at once when it ends, and holds nothing more', async () => {
  const { refusals, clock, sentAfter } = refuse(1_000, () => 'one', { isOwnFault: true });
  await clock.advance(100);
  expect(sentAfter).toHaveLength(10);
  refusals.end();
  expect(sentAfter).toHaveLength(1_000);
  refusals.hold({ network: 'one', socket, since: clock.now(), isOwnFault: true }, () => sentAfter.push(100));
  expect(sentAfter).toHaveLength(1_001);
  await clock.advance(5_000);
  expect(sentAfter).toHaveLength(1_001);
});

it('leaves the time of what is given up to others', async () => {
  const clock = virtualClock();
  const refusals = heldRefusals(clock);
  const hold = (send: () => void) =>
    refusals.hold({ network: 'one', socket, since: 0, isOwnFault: false }, send);
  for (let nth = 0; nth < 10; nth += 1) hold(() => {});
  for (let nth = 0; nth < 50; nth += 1) hold(() => {})();
  let sentAt: number | null = null;
  hold(() => {
    sentAt = clock.now();
  });
  await clock.advance(2_000);
  expect(sentAt).toBe(850);
});

it('gives up what no client waits for, which then delays no other', async () => {
  const clock = virtualClock();
  const refusals = heldRefusals(clock);
  const sent: string[] = [];
  const hold = (name: string) =>
    refusals.hold({ network: 'one', socket, since: clock.now(), isOwnFault: true }, () => sent.push(name));
  const givingUp = Array.from({ length: 2_000 }, () => hold('gone'));
  sent.length = 0;
  for (const giveUp of givingUp) giveUp();
  hold('waits');
  await clock.advance(900);
  expect(sent).toEqual(['waits']);
  for (const giveUp of givingUp) giveUp();
});

it('holds a connection like a refusal, and sends the refusal of its first request at once', async () => {
  const clock = virtualClock();
  const heldBack = tally();
  const refusals = heldRefusals(clock, heldBack);
  const went: string[] = [];
  const refuse = (name: string, of: Socket) =>
    refusals.hold({ network: 'one', socket: of, since: clock.now(), isOwnFault: true }, () =>
      went.push(name),
    );
  for (let nth = 0; nth < 10; nth += 1) refuse('at once', socket);
  went.length = 0;
  const connection = new Socket();
  refusals.holdUnread({ network: 'one', socket: connection, since: clock.now() }, () => {
    went.push('read');
    refuse('refused', connection);
    refuse('asked again', connection);
  });
  expect([went, heldBack.of('one')]).toEqual([[], 1]);
  await clock.advance(850);
  expect([went, heldBack.of('one')]).toEqual([['read', 'refused'], 1]);
  await clock.advance(850);
  expect([went, heldBack.of('one')]).toEqual([['read', 'refused', 'asked again'], 0]);
});

it('forgets a connection that has closed before its request was read', async () => {
  const clock = virtualClock();
  const heldBack = tally();
  const refusals = heldRefusals(clock, heldBack);
  let reads = 0;
  const hold = () =>
    refusals.holdUnread({ network: 'one', socket: new Socket(), since: clock.now() }, () => {
      reads += 1;
    });
  for (let nth = 0; nth < 10; nth += 1) hold();
  const giveUp = hold();
  expect([reads, heldBack.of('one')]).toEqual([10, 1]);
  giveUp();
  expect(heldBack.of('one')).toBe(0);
  await clock.advance(900);
  expect(reads).toBe(10);
});
