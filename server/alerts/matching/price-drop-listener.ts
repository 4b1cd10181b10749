import { isNews, isPriceDrop } from '../../../domain/price-drop.ts';
import { highestSince, type PriceSteps } from '../../../domain/price-steps.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { PriceChange, PriceChangeListener } from '../../inventory/price-changes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { nextLogicalTime } from '../tables/logical-clock.ts';
import { queueDrop } from '../tables/messages.ts';
import { type PackageLookup, type PackageOnSale, packageLookup } from '../tables/package-lookup.ts';
import { coversPackage, nearbyWatchFinder, watchedPackageFinder } from './nearby-watches.ts';
import { priceStepsRecorder, type RepricedPackage } from './price-steps-table.ts';

/**
 * Finds the watches that a price drop affects and puts their alerts into the outbox, in the transaction that writes
 * the price. Delivery decides when an alert is sent, and whether the drop still holds then. `now` is in milliseconds
 * since 1970.
 *
 * Most changes are no drop for anybody. Such a change costs one query for watches and one row of price steps, however
 * many watches there are.
 */
export function priceDropListener(database: SqlDatabase, now: () => number): PriceChangeListener {
  const packages = packageLookup(database);
  const match = priceDropMatcher(database, packages, now);
  return (changes: readonly PriceChange[]) => {
    database.lock('alerts');
    if (!hasActiveWatch(database)) return;
    const read = packages.batchReader()(changes.map((change) => change.new));
    match(
      changes.map((change) => ({ offer: read(change.new), was: change.old[OFFER.price] })),
      nextLogicalTime(database.sql),
    )();
  };
}

export function hasActiveWatch({ sql }: SqlDatabase): boolean {
  return sql.get`select 1 from alert_watch where state = 'active' limit 1` !== undefined;
}

/**
 * Queues the alerts of price changes of one logical time, inside a transaction that holds the lock of the alerts. The first
 * call asks the store what it knows of them, so that the caller can go on while it answers; the second one waits for the
 * answers, and writes.
 */
export type MatchPriceDrops = (changes: readonly RepricedPackage[], moment: number) => () => void;

export function priceDropMatcher(
  database: SqlDatabase,
  packages: PackageLookup,
  now: () => number,
): MatchPriceDrops {
  const findWatchedPackages = watchedPackageFinder(database, packages);
  const recordPriceChanges = priceStepsRecorder(database);
  const findNearbyWatches = nearbyWatchFinder(database, packages);
  const findLimits = database.prepare(
    `select 1 from alert_watch where state = 'active' and below_price is not null limit 1`,
  );

  function queueAlerts(offer: PackageOnSale, steps: PriceSteps, at: number): void {
    for (const watch of findNearbyWatches(offer, at)) {
      const reference = highestSince(steps, watch.since, offer.price);
      if (!isNews(reference, offer.price, watch.below_price) || !coversPackage(watch, offer, packages))
        continue;
      queueDrop(database, { person: watch.person, watch: watch.id, now: at });
    }
  }

  return (changes, moment) => {
    const at = now();
    const watched = findWatchedPackages(changes.map(({ offer }) => offer));
    const record = recordPriceChanges(changes);
    const limits = findLimits.start();
    return () => {
      const recorded = record(watched(), moment);
      // A fall of a pound may cross a limit, so without limits most changes need no look at the watches.
      const hasLimits = limits().length > 0;
      for (const { offer, steps } of recorded) {
        const highest = steps[0]?.price;
        if (highest && (hasLimits || isPriceDrop(highest, offer.price))) queueAlerts(offer, steps, at);
      }
    };
  };
}
