import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { openDatabase } from '../open/database.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { requireSessions } from './require-sessions.ts';

/** Connections through a pooler that lends one of its sessions for each transaction. */
function pooled(sessions: number, takesOldest: boolean): () => SqlDatabase {
  const idle = Array.from({ length: sessions }, (_, nth) => nth + 1);
  return () => {
    let held: number | null = null;
    const take = () => (takesOldest ? idle.shift() : idle.pop()) ?? 0;
    const giveBack = (session: number) => idle.push(session);
    return {
      beginReading() {
        held = take();
      },
      rollback() {
        if (held !== null) giveBack(held);
        held = null;
      },
      prepare: () => ({
        row() {
          const session = held ?? take();
          if (held === null) giveBack(session);
          return [session];
        },
      }),
      close() {},
    } as unknown as SqlDatabase;
  };
}

it.each([
  [2, false],
  [2, true],
  [3, true],
  [20, false],
  [20, true],
  [1, true],
])('rejects a pooler that lends one of %d sessions for each transaction', (sessions, takesOldest) => {
  const open = pooled(sessions, takesOldest);
  expect(() => requireSessions(open(), open)).toThrow('pool_mode = session');
});

it('accepts connections with their own sessions, and closes the second one', async () => {
  const address = await emptyDatabase();
  const database = openDatabase(address);
  const sessionOf = (one: SqlDatabase) => Number(one.prepare('select pg_backend_pid()').row()?.[0]);
  const own = sessionOf(database);
  const opened: SqlDatabase[] = [];
  const openSecond = () => {
    const second = openDatabase(address, { isExisting: true });
    opened.push(second);
    return second;
  };
  expect(() => requireSessions(database, openSecond)).not.toThrow();
  expect(sessionOf(database)).toBe(own);
  expect(opened).toHaveLength(1);
  for (const second of opened) expect(() => sessionOf(second)).toThrow();
  database.close();
});
