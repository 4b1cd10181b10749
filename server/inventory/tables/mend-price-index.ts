import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { renewReferenceVersion } from './reference-tables.ts';

/**
 * The embedded store has the lowest prices and the hotels of blocks a second time, in an index that searches read. Makes
 * the index anew if it does not have what the table has, and returns whether it did. In PostgreSQL there is no copy.
 */
export function mendPriceIndex(database: SqlDatabase): boolean {
  if (database.engine !== 'sqlite') return false;
  const [fault] = database.prepare("pragma integrity_check('price_block')").row() ?? [];
  if (fault === 'ok') return false;
  inTransaction(database, () => {
    database.exec('reindex price_block');
    renewReferenceVersion(database);
  });
  return true;
}
