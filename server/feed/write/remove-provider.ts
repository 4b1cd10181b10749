import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../storage/in-transaction.ts';
import { REFERENCE_VERSION } from '../../storage/reference-tables.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { ImportLease } from './import-lease.ts';
import { removeLastImport, writeNote } from './store-notes.ts';

/** Removes all offers of a provider and returns their number. Price history is kept. The caller holds the lease. */
export function removeProvider(database: SqlDatabase, lease: ImportLease, code: string): number {
  return inTransaction(database, () => {
    lease.check();
    const removed = database
      .prepare('delete from offer where provider in (select id from provider where code = ?)')
      .run(code).changes;
    removeLastImport(database, code);
    // Invalidates caches of the dictionaries and counts.
    writeNote(database, REFERENCE_VERSION, randomUUID());
    return removed;
  });
}
