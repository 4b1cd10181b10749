import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import { inTransaction } from '../in-transaction.ts';
import { openDatabase } from '../open/database.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { embeddedStore } from '../store-address.ts';

const WAIT = 1_000;
const WAIT_AGAIN = 100;

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

  it('waits for less than an import does, and hardly at all behind a wait that was in vain', () => {
    expect([waits(importer), waits(interactive)]).toEqual([60_000, WAIT]);
    importer.begin('records');
    errorOf(() => note('first'));
    expect(waits(interactive)).toBe(WAIT_AGAIN);
    errorOf(() => note('second'));
    expect(waits(interactive)).toBe(WAIT_AGAIN);
    importer.rollback();
    note('third');
    expect(waits(interactive)).toBe(WAIT);
    expect(interactive.prepare('select name from note').all()).toEqual([{ name: 'third' }]);
  });

  it('does not take other errors for the lock', () => {
    note('once');
    const twice = errorOf(() => note('once'));
    expect(twice).toMatchObject({ message: expect.stringContaining('UNIQUE') });
    expect([isStoreUnavailable(twice), waits(interactive)]).toEqual([false, WAIT]);
  });
});
