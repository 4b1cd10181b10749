import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { inSnapshot } from '../in-snapshot.ts';
import { openDatabase, openDatabaseForReading } from './database.ts';

/**
 * Milliseconds after which the server ends the locking transaction. A read that waits for the lock would then
 * succeed.
 */
const HELD = 10_000;

it('a read fails soon while its table is locked, and works afterwards', async () => {
  const store = await emptyDatabase();
  const database = openDatabase(store, { idleTimeout: HELD });
  const reading = openDatabaseForReading(store);
  let attempts = 0;
  const read = () =>
    inSnapshot(reading, () => {
      attempts += 1;
      return reading.prepare('select count(*) from offer').row();
    });
  database.begin('history');
  database.exec('lock table offer in access exclusive mode');
  expect(read).toThrow(StoreUnavailable);
  expect(attempts).toBe(1);
  database.rollback();
  expect(read()).toEqual([0]);
  reading.close();
  database.close();
});
