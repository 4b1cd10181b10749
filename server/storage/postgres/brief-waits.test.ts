import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import { inSnapshot } from '../in-snapshot.ts';
import { inTransaction } from '../in-transaction.ts';
import { openDatabase } from '../open/database.ts';
import type { SqlDatabase } from '../sql-database.ts';

/** Milliseconds after which the server ends the transaction that holds the lock. */
const HELD = 20_000;

const WAIT = '1500ms';
const WAIT_AGAIN = '100ms';

describe('a connection to PostgreSQL that somebody waits for, while a table is locked', () => {
  let other: SqlDatabase;
  let interactive: SqlDatabase;
  beforeEach(async () => {
    const store = await emptyDatabase();
    other = openDatabase(store, { idleTimeout: HELD });
    interactive = openDatabase(store, { interactive: true });
    other.begin('history');
    other.exec('lock table note in access exclusive mode');
  });
  afterEach(() => {
    interactive.close();
    other.close();
  });

  const put = (name: string) => interactive.prepare('insert into note (name, value) values (?, 1)').run(name);
  const waits = () => interactive.prepare('show lock_timeout').row()?.[0];
  const isRefused = (work: () => unknown): boolean => {
    try {
      work();
    } catch (error) {
      return isStoreUnavailable(error);
    }
    return false;
  };

  it.each<[string, (name: string) => unknown]>([
    ['in a transaction', (name) => inTransaction(interactive, () => put(name))],
    ['in one without a lock', (name) => interactive.writeTogether(() => put(name))],
    ['alone', put],
  ])('hardly waits behind a wait that was in vain, %s, until it has written', (_, write) => {
    expect(waits()).toBe(WAIT);
    for (const name of ['first', 'second']) {
      expect(isRefused(() => write(name))).toBe(true);
      expect(waits()).toBe(WAIT_AGAIN);
    }
    inSnapshot(interactive, () => interactive.prepare('select 1').row());
    expect(waits()).toBe(WAIT_AGAIN);
    other.rollback();
    inTransaction(interactive, () => put('third'));
    expect(waits()).toBe(WAIT);
    const names = interactive.prepare("select name from note where name in ('first', 'second', 'third')");
    expect(names.rows()).toEqual([['third']]);
  });

  it('does not take other errors for the lock', () => {
    other.rollback();
    inTransaction(interactive, () => put('once'));
    expect(isRefused(() => inTransaction(interactive, () => put('once')))).toBe(false);
    expect(waits()).toBe(WAIT);
  });
});
