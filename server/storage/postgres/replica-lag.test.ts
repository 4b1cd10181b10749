import { expect, it } from 'vitest';
import { replicaLag } from './replica-lag.ts';

const server = () => ({ isLagging: false, logPosition: 0 as number | null });

it('marks a replica as lagging until it has replayed what the primary had ten seconds ago', () => {
  const [primary, near, far] = [server(), server(), server()];
  const mark = replicaLag(primary, [near, far]);
  for (let second = 0; second <= 20; second += 2) {
    primary.logPosition = second * 100;
    near.logPosition = Math.max(0, second - 4) * 100;
    mark(second * 1_000);
    expect([near.isLagging, far.isLagging]).toEqual([false, second > 10]);
  }
  far.logPosition = 2_000;
  mark(22_000);
  expect(far.isLagging).toBe(false);
});

it('marks no replica as lagging while the primary writes nothing or does not respond', () => {
  const [primary, replica] = [server(), server()];
  const mark = replicaLag(primary, [replica]);
  primary.logPosition = 500;
  replica.logPosition = 500;
  for (let second = 0; second <= 40; second += 10) mark(second * 1_000);
  expect(replica.isLagging).toBe(false);
  primary.logPosition = 900;
  mark(50_000);
  mark(60_000);
  expect(replica.isLagging).toBe(true);
  primary.logPosition = null;
  mark(62_000);
  expect(replica.isLagging).toBe(false);
});
