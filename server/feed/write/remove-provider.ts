import { renewReferenceVersion } from '../../inventory/tables/reference-tables.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { ImportLease } from './import-lease.ts';
import { removeLastImport } from './store-notes.ts';

/** Ends every offer of a provider; gives how many. Their prices' history stays. The caller has the lease. */
export function removeProvider(database: SqlDatabase, lease: ImportLease, code: string): number {
  return inTransaction(database, () => {
    lease.check();
    const removed = database
      .prepare('delete from offer where provider in (select id from provider where code = ?)')
      .run(code).changes;
    removeLastImport(database, code);
    // An import that runs meanwhile has compared with what is gone now, and pages have counted it.
    renewReferenceVersion(database);
    return removed;
  });
}
