import { expect, it } from 'vitest';
import { watchReplicaLag } from './replica-lag.ts';
import type { PostgresServer } from './server.ts';

/** A server whose log position the test sets; null: it does not respond. */
function server(): PostgresServer & { bytes: number | null } {
  const fake = {
    bytes: 0 as number | null,
    skippedUntil: 0,
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

it('marks a replica as lagging until it has replayed what was written ten seconds ago', async () => {
  const [primary, near, far] = [server(), server(), server()];
  const lag = watchReplicaLag(primary, [near, far]);
  lag.stop();
  for (let second = 0; second <= 20; second += 2) {
    primary.bytes = second * 100;
    near.bytes = Math.max(0, second - 4) * 100;
    far.bytes = 0;
    await lag.check(second * 1_000);
    expect(near.isLagging).toBe(false);
    expect(far.isLagging).toBe(second > 10);
  }
  far.bytes = 2_000;
  await lag.check(22_000);
  expect(far.isLagging).toBe(false);
});

it('marks no replica as lagging while the primary is quiet or does not respond', async () => {
  const [primary, replica] = [server(), server()];
  const lag = watchReplicaLag(primary, [replica]);
  lag.stop();
  primary.bytes = 500;
  replica.bytes = 500;
  for (let second = 0; second <= 40; second += 10) await lag.check(second * 1_000);
  expect(replica.isLagging).toBe(false);
  primary.bytes = 900;
  await lag.check(50_000);
  await lag.check(60_000);
  expect(replica.isLagging).toBe(true);
  primary.bytes = null;
  await lag.check(62_000);
  expect(replica.isLagging).toBe(false);
});
