import { inSnapshot } from '../../storage/in-snapshot.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { type ComparedBlocks, comparePriceBlocks } from './compare-price-blocks.ts';
import { departureMonths, fillMonth } from './fill-price-blocks.ts';
import { renewReferenceVersion } from './reference-tables.ts';

/**
 * Compares each month's price blocks with its offers, and rewrites the month if they differ, in one
 * transaction per month. `onMonth` gets each result; `onIndex` is called if the blocks' index was rebuilt.
 */
export function rebuildPriceBlocks(
  database: SqlDatabase,
  onMonth: (month: number, found: ComparedBlocks) => void,
  onIndex: () => void = () => {},
): void {
  // The index comes first, because blocks that are missing from it cannot be replaced.
  if (mendPriceIndex(database)) onIndex();
  const stored = database.prepare('select min(month), max(month) from price_block');
  const range = departureMonths(database);
  const [first, last] = (stored.row() ?? []).map((month) => (typeof month === 'number' ? month : null));
  const months = [range?.first, range?.last, first, last].filter((month) => typeof month === 'number');
  for (let month = Math.min(...months); month <= Math.max(...months); month += 1) {
    const found = inSnapshot(database, () => comparePriceBlocks(database, month));
    const mend = () => mendMonth(database, month);
    onMonth(month, found.wrong === 0 ? found : inTransaction(database, mend, 'price blocks'));
  }
}

/**
 * Compares again under the lock, because an import may just have committed, then rewrites the blocks if they
 * are still wrong.
 */
function mendMonth(database: SqlDatabase, month: number): ComparedBlocks {
  database.waitForCommits();
  const found = comparePriceBlocks(database, month);
  if (found.wrong === 0) return found;
  fillMonth(database, month);
  // A new version makes searches recount instead of using the counts in page tokens.
  renewReferenceVersion(database);
  return found;
}

/**
 * Rebuilds the embedded store's index of lowest prices and hotels if it differs from the table of blocks;
 * returns whether it did. PostgreSQL has no such index.
 */
function mendPriceIndex(database: SqlDatabase): boolean {
  if (database.engine !== 'sqlite') return false;
  const [fault] = database.prepare("pragma integrity_check('price_block')").row() ?? [];
  if (fault === 'ok') return false;
  inTransaction(database, () => {
    database.exec('reindex price_block');
    renewReferenceVersion(database);
  });
  return true;
}
