import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { holdTransaction } from '../../../tests/fixtures/held-transaction.ts';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { openDatabase } from './database.ts';

const FIXTURES = join(import.meta.dirname, '../../../tests/fixtures');

const WAITING = { timeout: 30_000, interval: 100 };

it.each([
  ['waits for a lock', 'waiting-process.ts', 'lock table offer'],
  ['reads', 'reading-process.ts', 'select pg_sleep(600)'],
])('ends a statement that %s soon after its process is killed', async (_does, file, text) => {
  const store = await emptyDatabase();
  const database = await openDatabase(store);
  const held = await holdTransaction(database, 'history');
  await held.run((tx) => tx.exec('lock table offer in exclusive mode'));
  // Outside a transaction, because inside one the activity never changes after the first read.
  const watching = await openDatabase(store);
  const atWork = async () =>
    (await watching.prepare('select pid from pg_stat_activity where query = ?').rows(text)).length;
  const child = spawn(process.execPath, [join(FIXTURES, file), JSON.stringify(store)], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  try {
    await vi.waitFor(async () => expect(await atWork()).toBe(1), WAITING);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  await vi.waitFor(async () => expect(await atWork()).toBe(0), WAITING);
  await held.rollback();
  await watching.close();
  await database.close();
});
