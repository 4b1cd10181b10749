import { expect, it } from 'vitest';
import type { PostgresServer } from './read-pool.ts';
import { watchLag } from './replica-lag.ts';

/** A server whose log stands where the test says; null does not answer. */
function server(): PostgresServer & { bytes: number | null } {
  const fake = {
    bytes: 0 as number | null,
    leftUntil: 0,
    isLagging: false,
    pool: {
      async query() {
        if (fake.bytes === null) throw new Error('ECONNREFUSED');
        return { rows: [{ bytes: fake.bytes }] };
      },
    },
  };
  return fake as unknown as PostgresServer & { bytes: number | null };
}

it('leaves a replica that has not replayed what was written ten seconds ago, until it has', async () => {
  const [primary, near, far] = [server(), server(), server()];
  const lag = watchLag(primary, [near, far]);
  lag.stop();
  for (let second = 0; second <= 20; second += 2) {
    primary.bytes = second * 100;
    near.bytes = Math.max(0, second - 4) * 100;
    far.bytes = 0;
    await lag.look(second * 1_000);
    expect(near.isLagging).toBe(false);
    expect(far.isLagging).toBe(second > 10);
  }
  far.bytes = 2_000;
  await lag.look(22_000);
  expect(far.isLagging).toBe(false);
});

it('calls no replica late where the primary is quiet, or is not there', async () => {
  const [primary, replica] = [server(), server()];
  const lag = watchLag(primary, [replica]);
  lag.stop();
  primary.bytes = 500;
  replica.bytes = 500;
  for (let second = 0; second <= 40; second += 10) await lag.look(second * 1_000);
  expect(replica.isLagging).toBe(false);
  primary.bytes = 900;
  await lag.look(50_000);
  await lag.look(60_000);
  expect(replica.isLagging).toBe(true);
  primary.bytes = null;
  await lag.look(62_000);
  expect(replica.isLagging).toBe(false);
});
