import { expect, it } from 'vitest';
import { holdTransaction } from '../../../tests/fixtures/held-transaction.ts';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { openDatabase, openDatabaseForReading } from './database.ts';

/**
 * Milliseconds after which the server ends the locking transaction. A read that waits for the lock would then
 * succeed.
 */
const HELD = 10_000;

it('a read fails soon while its table is locked, and works afterwards', async () => {
  const store = await emptyDatabase();
  const database = await openDatabase(store, { idleTimeout: HELD });
  const reading = openDatabaseForReading(store);
  let attempts = 0;
  const read = () =>
    reading.read(async (tx) => {
      attempts += 1;
      return tx.prepare('select count(*) from offer').row();
    });
  const held = await holdTransaction(database, 'history');
  await held.run((tx) => tx.exec('lock table offer in access exclusive mode'));
  await expect(read).rejects.toThrow(StoreUnavailable);
  expect(attempts).toBe(1);
  await held.rollback();
  expect(await read()).toEqual([0]);
  await reading.close();
  await database.close();
});
