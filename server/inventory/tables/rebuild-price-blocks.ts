import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { type ComparedBlocks, comparePriceBlocks } from './compare-price-blocks.ts';
import { departureMonths, fillMonth } from './fill-price-blocks.ts';
import { renewReferenceVersion } from './reference-tables.ts';

/**
 * Compares each month's price blocks with its offers, and rewrites the month if they differ, in one
 * transaction per month. `onMonth` gets each result; `onIndex` is called if the blocks' index was rebuilt.
 */
export async function rebuildPriceBlocks(
  database: SqlDatabase,
  onMonth: (month: number, found: ComparedBlocks) => void,
  onIndex: () => void = () => {},
): Promise<void> {
  // The index comes first, because blocks that are missing from it cannot be replaced.
  if (await mendPriceIndex(database)) onIndex();
  const stored = database.prepare('select min(month), max(month) from price_block');
  const range = await departureMonths(database);
  const [first, last] = ((await stored.row()) ?? []).map((month) =>
    typeof month === 'number' ? month : null,
  );
  const months = [range?.first, range?.last, first, last].filter((month) => typeof month === 'number');
  for (let month = Math.min(...months); month <= Math.max(...months); month += 1) {
    const found = await database.read((tx) => comparePriceBlocks(tx, month));
    const mend = (tx: SqlSession) => mendMonth(tx, month);
    onMonth(month, found.wrong === 0 ? found : await database.write('price blocks', mend));
  }
}

/**
 * Compares again under the lock, because an import may just have committed, then rewrites the blocks if they
 * are still wrong.
 */
async function mendMonth(tx: SqlSession, month: number): Promise<ComparedBlocks> {
  await tx.cluster?.waitForCommits();
  const found = await comparePriceBlocks(tx, month);
  if (found.wrong === 0) return found;
  await fillMonth(tx, month);
  // A new version makes searches recount instead of using the counts in page tokens.
  await renewReferenceVersion(tx);
  return found;
}

/**
 * Rebuilds the embedded store's index of lowest prices and hotels if it differs from the table of blocks;
 * returns whether it did. PostgreSQL has no such index.
 */
async function mendPriceIndex(database: SqlDatabase): Promise<boolean> {
  if (database.engine !== 'sqlite') return false;
  const [fault] = (await database.prepare("pragma integrity_check('price_block')").row()) ?? [];
  if (fault === 'ok') return false;
  await database.write('records', async (tx) => {
    await tx.exec('reindex price_block');
    await renewReferenceVersion(tx);
  });
  return true;
}
