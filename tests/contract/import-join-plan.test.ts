import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withJoinPlan } from '../../server/inventory/tables/join-plans.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase, SqlSession } from '../../server/storage/sql-database.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';

describe('The join of staged with stored offers', () => {
  let alerts: SmallAlerts;
  let database: SqlDatabase;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store: 'postgresql' });
    database = await openDatabase(alerts.address);
  });
  afterEach(async () => {
    await database.close();
    await alerts.close();
  });

  const joins = async ({ sql }: SqlSession) =>
    Object.values(
      (await sql.get`select current_setting('enable_mergejoin') as merge,
        current_setting('enable_nestloop') as loop`) ?? {},
    );

  /** The join settings during the statements, and after them. */
  async function joinsFor(staged: number): Promise<unknown[]> {
    return database.write('records', async (tx) => [
      await withJoinPlan(tx, staged, () => joins(tx)),
      await joins(tx),
    ]);
  }

  it('reads all stored offers if at least half as many are staged, and looks them up otherwise', async () => {
    await database.exec('analyze offer');
    await database.sql.get`select pg_stat_force_next_flush()`;
    const stored = Number((await database.sql.get`select count(*) as stored from offer`)?.stored);
    expect(await joinsFor(Math.ceil(stored / 2))).toEqual([
      ['on', 'off'],
      ['off', 'on'],
    ]);
    expect(await joinsFor(Math.ceil(stored / 2) - 1)).toEqual([
      ['off', 'on'],
      ['off', 'on'],
    ]);
  });
});
