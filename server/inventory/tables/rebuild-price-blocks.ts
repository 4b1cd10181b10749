import { inTransaction } from '../../storage/in-transaction.ts';
import { waitForPreparedCommits } from '../../storage/prepared-commits.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { type ComparedBlocks, comparePriceBlocks } from './compare-price-blocks.ts';
import { departureMonths, fillMonth } from './fill-price-blocks.ts';
import { renewReferenceVersion } from './reference-tables.ts';

/**
 * Compares the price blocks of each month with its offers, and writes those of a month anew if any is wrong. Each month is a
 * transaction, which keeps imports from writing blocks meanwhile; searches see the old blocks or the new ones. Each
 * month is told with what was found in it.
 */
export function rebuildPriceBlocks(
  database: SqlDatabase,
  onMonth: (month: number, found: ComparedBlocks) => void,
): void {
  const stored = database.prepare('select min(month), max(month) from price_block');
  const range = departureMonths(database);
  const [first, last] = (stored.row() ?? []).map((month) => (typeof month === 'number' ? month : null));
  const months = [range?.first, range?.last, first, last].filter((month) => typeof month === 'number');
  for (let month = Math.min(...months); month <= Math.max(...months); month += 1) {
    const found = inTransaction(
      database,
      () => {
        waitForPreparedCommits(database);
        const compared = comparePriceBlocks(database, month);
        if (compared.wrong > 0) {
          fillMonth(database, month);
          // What servers have counted of the packages on sale is counted again.
          renewReferenceVersion(database);
        }
        return compared;
      },
      'price blocks',
    );
    onMonth(month, found);
  }
}
