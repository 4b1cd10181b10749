import { isPriceDrop } from '../../../domain/price-drop.ts';
import { highestSince } from '../../../domain/running-highs.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import { queueDrops } from '../tables/messages.ts';
import type { PackageLookup } from '../tables/package-lookup.ts';
import { type RepricedPackage, recordPriceSteps } from './running-highs.ts';
import { coversPackage, nearbyWatchFinder, watchedPackageFinder } from './watched-packages.ts';

/**
 * Queues alerts for the watches that price changes of one logical time affect. Runs in a transaction with the
 * alerts' lock. Delivery decides when to send an alert, and whether the drop still exists then.
 */
export async function matchPriceDrops(
  tx: SqlSession,
  packages: PackageLookup,
  changes: readonly RepricedPackage[],
  { moment, at }: { moment: number; at: number },
): Promise<void> {
  const watched = await watchedPackageFinder(tx, packages)(changes.map(({ offer }) => offer));
  const { totalAt } = await packages.reader();
  const fallen = (await recordPriceSteps(tx, changes, watched, moment)).filter(
    ({ offer, steps: [highest] }) =>
      highest !== undefined && isPriceDrop(totalAt(offer.offer, highest.price), offer.price),
  );
  const contacts = new Set<number>();
  for (const [{ offer, steps }, watch] of await nearbyWatchFinder(tx, packages)(fallen, at)) {
    const recorded = highestSince(steps, watch.since, offer.offer[OFFER.price]);
    const reference = totalAt(offer.offer, recorded);
    if (isPriceDrop(reference, offer.price) && coversPackage(watch, offer, packages))
      contacts.add(watch.contact);
  }
  await queueDrops(tx, [...contacts], at);
}
