import { isNews, isPriceDrop } from '../../../domain/price-drop.ts';
import { highestSince } from '../../../domain/running-highs.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { queueDrop } from '../tables/messages.ts';
import type { PackageLookup } from '../tables/package-lookup.ts';
import { priceStepsRecorder, type RepricedPackage, type RepricedSteps } from './running-highs.ts';
import { coversPackage, nearbyWatchFinder, watchedPackageFinder } from './watched-packages.ts';

/**
 * Finds the watches that price changes of one logical time affect, and queues their alerts, in a transaction that holds
 * the lock of the alerts. Delivery decides when an alert is sent, and whether the drop still holds then.
 *
 * Most changes are no drop for anybody. Such a change costs one query for watches and one row of price steps, however
 * many watches there are. `now` is in milliseconds since 1970.
 */
export function priceDropMatcher(
  database: SqlDatabase,
  packages: PackageLookup,
  now: () => number,
): (changes: readonly RepricedPackage[], moment: number) => void {
  const findWatchedPackages = watchedPackageFinder(database, packages);
  const recordPriceChanges = priceStepsRecorder(database);
  const findNearbyWatches = nearbyWatchFinder(database, packages);
  const findLimits = database.prepare(
    `select 1 from alert_watch where state = 'active' and below_price is not null limit 1`,
  );

  function queueAlerts({ offer, steps }: RepricedSteps, at: number): void {
    for (const watch of findNearbyWatches(offer, at)) {
      const reference = highestSince(steps, watch.since, offer.price);
      if (!isNews(reference, offer.price, watch.below_price) || !coversPackage(watch, offer, packages))
        continue;
      queueDrop(database, { person: watch.person, watch: watch.id, now: at });
    }
  }

  return (changes, moment) => {
    if (changes.length === 0) return;
    const at = now();
    const watched = findWatchedPackages(changes.map(({ offer }) => offer));
    // A fall of a pound may cross a limit, so without limits most changes need no look at the watches.
    const hasLimits = findLimits.row() !== undefined;
    for (const recorded of recordPriceChanges(changes, watched, moment)) {
      const highest = recorded.steps[0]?.price;
      if (highest && (hasLimits || isPriceDrop(highest, recorded.offer.price))) queueAlerts(recorded, at);
    }
  };
}
