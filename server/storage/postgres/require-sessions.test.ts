import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { openPool } from './client.ts';
import { requireOwnSession, requireSessions, type SessionClient } from './require-sessions.ts';

/** Connections through a pooler that lends one of its sessions for each transaction. */
function pooled(sessions: number, takesOldest: boolean): () => SessionClient {
  const idle = Array.from({ length: sessions }, (_, nth) => nth + 1);
  return () => {
    let held: number | null = null;
    const take = () => (takesOldest ? idle.shift() : idle.pop()) ?? 0;
    return {
      async begin() {
        held = take();
      },
      async rollback() {
        if (held !== null) idle.push(held);
        held = null;
      },
      async session() {
        const session = held ?? take();
        if (held === null) idle.push(session);
        return session;
      },
    };
  };
}

it.each([
  [2, false],
  [2, true],
  [3, true],
  [20, false],
  [20, true],
  [1, true],
])('rejects a pooler that lends one of %d sessions for each transaction', async (sessions, takesOldest) => {
  const open = pooled(sessions, takesOldest);
  await expect(requireOwnSession(open(), open())).rejects.toThrow('pool_mode = session');
});

it('accepts connections with their own sessions', async () => {
  const address = await emptyDatabase();
  const pool = openPool(address.url, {}, { max: 2 });
  await requireSessions(async () => {
    const client = await pool.connect();
    return { client, release: () => client.release() };
  });
  expect(pool.idleCount).toBe(2);
  await pool.end();
});
