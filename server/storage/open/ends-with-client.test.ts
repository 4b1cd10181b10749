import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { openDatabase } from './database.ts';

const PROCESS = join(import.meta.dirname, '../../../tests/fixtures/waiting-process.ts');

const WAITING = { timeout: 30_000, interval: 100 };

it('ends a statement that waits for a lock when its process is killed, long before its time', async () => {
  const store = await emptyDatabase();
  const database = openDatabase(store);
  database.begin('history');
  database.exec('lock table offer in exclusive mode');
  // In a transaction, the activity stays as it was first read.
  const watching = openDatabase(store);
  const waiting = () =>
    watching.prepare(`select pid from pg_stat_activity where query = 'lock table offer'`).rows().length;
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(store)], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  try {
    await vi.waitFor(() => expect(waiting()).toBe(1), WAITING);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  await vi.waitFor(() => expect(waiting()).toBe(0), WAITING);
  database.rollback();
  watching.close();
  database.close();
});
