import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { renewReferenceVersion } from './reference-tables.ts';

/**
 * Rebuilds the embedded store's index of lowest prices and hotels if it differs from the table of blocks;
 * returns whether it did. PostgreSQL has no such index.
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
