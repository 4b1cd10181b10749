import { isPriceDrop } from '../../../domain/price-drop.ts';
import { highestSince } from '../../../domain/running-highs.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import { queueDrop } from '../tables/messages.ts';
import type { PackageLookup } from '../tables/package-lookup.ts';
import { priceStepsRecorder, type RepricedPackage, type RepricedSteps } from './running-highs.ts';
import { coversPackage, nearbyWatchFinder, watchedPackageFinder } from './watched-packages.ts';

/**
 * Queues alerts for the watches that price changes of one logical time affect. Runs in a transaction with the
 * alerts' lock. Delivery decides when to send an alert, and whether the drop still exists then.
 */
export async function priceDropMatcher(
  tx: SqlSession,
  packages: PackageLookup,
  now: () => number,
): Promise<(changes: readonly RepricedPackage[], moment: number) => Promise<void>> {
  const findWatchedPackages = watchedPackageFinder(tx, packages);
  const recordPriceChanges = await priceStepsRecorder(tx);
  const findNearbyWatches = nearbyWatchFinder(tx, packages);
  async function queueAlerts({ offer, steps }: RepricedSteps, at: number): Promise<void> {
    for (const watch of await findNearbyWatches(offer, at)) {
      const recorded = highestSince(steps, watch.since, offer.offer[OFFER.price]);
      const reference = await packages.totalAt(offer.offer, recorded);
      if (!isPriceDrop(reference, offer.price) || !coversPackage(watch, offer, packages)) continue;
      await queueDrop(tx, watch.contact, at);
    }
  }

  return async (changes, moment) => {
    if (changes.length === 0) return;
    const at = now();
    const watched = await findWatchedPackages(changes.map(({ offer }) => offer));
    for (const recorded of await recordPriceChanges(changes, watched, moment)) {
      const { offer, steps } = recorded;
      const highest = steps[0] && (await packages.totalAt(offer.offer, steps[0].price));
      if (highest && isPriceDrop(highest, offer.price)) await queueAlerts(recorded, at);
    }
  };
}
