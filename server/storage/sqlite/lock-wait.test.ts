import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import { inTransaction } from '../in-transaction.ts';
import { databasePath, openDatabase } from '../open/database.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { embeddedStore } from '../store-address.ts';
import { takeLockInTime } from './lock-wait.ts';

const WAIT = 1_000;

describe('a connection that somebody waits for, while another one holds the write lock', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let importer: SqlDatabase;
  let interactive: SqlDatabase;
  beforeEach(() => {
    folder = temporaryFolder();
    importer = openDatabase(embeddedStore(folder.path));
    interactive = openDatabase(embeddedStore(folder.path), { interactive: true });
  });
  afterEach(() => {
    interactive.close();
    importer.close();
    folder.remove();
  });

  const note = (name: string) =>
    interactive.prepare('insert into note (name, value) values (?, 1)').run(name);
  const waits = (database: SqlDatabase) => database.prepare('pragma busy_timeout').get()?.timeout;
  const errorOf = (work: () => unknown): unknown => {
    try {
      work();
    } catch (error) {
      return error;
    }
    return null;
  };

  it('says that the store is unavailable, in a transaction or alone', () => {
    importer.begin('records');
    expect(isStoreUnavailable(errorOf(() => note('alone')))).toBe(true);
    const inOne = errorOf(() => inTransaction(interactive, () => note('together')));
    expect(isStoreUnavailable(inOne)).toBe(true);
    importer.rollback();
    expect(interactive.prepare('select name from note').all()).toEqual([]);
  });

  it('waits for less than an import does', () => {
    expect([waits(importer), waits(interactive)]).toEqual([60_000, WAIT]);
    importer.begin('records');
    errorOf(() => note('first'));
    importer.rollback();
    note('second');
    expect(waits(interactive)).toBe(WAIT);
    expect(interactive.prepare('select name from note').all()).toEqual([{ name: 'second' }]);
  });

  describe('attempts to take it itself', () => {
    let connection: DatabaseSync;
    beforeEach(() => {
      connection = new DatabaseSync(databasePath(folder.path));
      importer.begin('records');
    });
    afterEach(() => connection.close());

    /** A function that takes the lock. The importer releases it just before attempt number `freeAt`. */
    function taking(freeAt: number) {
      const attempts = { made: 0 };
      const take = () => {
        attempts.made += 1;
        if (attempts.made === freeAt) importer.rollback();
        connection.exec('begin immediate');
      };
      return { attempts, take };
    }

    it('until it is free', () => {
      const { attempts, take } = taking(20);
      takeLockInTime(connection, { first: 60_000, again: 0 })(take);
      expect([attempts.made, connection.isTransaction]).toEqual([20, true]);
    });

    it('only once after a wait that failed, until the lock has been taken again', () => {
      const takeLock = takeLockInTime(connection, { first: 50, again: 0 });
      const { attempts, take } = taking(Number.POSITIVE_INFINITY);
      const made = () => {
        attempts.made = 0;
        expect(isStoreUnavailable(errorOf(() => takeLock(take)))).toBe(true);
        return attempts.made;
      };
      expect([made() > 1, made(), made()]).toEqual([true, 1, 1]);
      importer.rollback();
      takeLock(take);
      connection.exec('rollback');
      importer.begin('records');
      expect(made()).toBeGreaterThan(1);
    });
  });

  it('does not take other errors for the lock', () => {
    note('once');
    const twice = errorOf(() => note('once'));
    expect(twice).toMatchObject({ message: expect.stringContaining('UNIQUE') });
    expect([isStoreUnavailable(twice), waits(interactive)]).toEqual([false, WAIT]);
  });
});
