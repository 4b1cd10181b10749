import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { removeLastImport } from './store-notes.ts';

/** Ends every offer of a provider; gives how many. Their prices' history stays. */
export function removeProvider(database: SqlDatabase, code: string): number {
  return inTransaction(database, () => {
    const removed = database
      .prepare('delete from offer where provider in (select id from provider where code = ?)')
      .run(code).changes;
    removeLastImport(database, code);
    return removed;
  });
}
