import { fromDayNumber } from '../../../domain/calendar-date.ts';
import type { Pence } from '../../../domain/money.ts';
import { isPriceDrop } from '../../../domain/price-drop.ts';
import { highestSince, type PriceSteps } from '../../../domain/price-steps.ts';
import { isSimilarPackage } from '../../../domain/similar-package.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { PriceChange, PriceChangeListener } from '../../inventory/price-changes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { nextMoment } from '../records/logical-clock.ts';
import { type KnownPackage, knownPackages } from '../records/package-lookup.ts';
import { nearValues, nearWatches, watchedAmong } from './nearby-watches.ts';
import { forgetPrices, priceChangeNoter } from './price-steps-table.ts';

/**
 * Finds the watches that a price change touches and puts their alerts into the outbox, all in the transaction
 * that writes the price. When an alert may be sent, and whether it still holds then, is decided when it is due.
 * `now` is in milliseconds since 1970.
 *
 * A change that is no drop for anybody, which most are not, costs one look at whether the package is watched and
 * one row of its past, however many watch it.
 */
export function priceDropListener(database: SqlDatabase, now: () => number): PriceChangeListener {
  const packages = knownPackages(database);
  const { sql } = database;
  const note = priceChangeNoter(database);
  const areWatched = watchedAmong(database, packages);
  const watchesThatFit = database.prepare(`select id, person, airport, board, half_stars, departure_day,
      coalesce(alert_told.moment, started) as since
    from alert_watch left join alert_told on watch = id and alert_told.item_key = ?
    where ${nearWatches(database)} and half_stars <= ? and departs_at > ? and not exists (
      select 1 from alert_message as queued
      where queued.watch = alert_watch.id and queued.state = 'queued' and queued.kind = 'drop')`);

  function tellWatches(offer: KnownPackage, steps: PriceSteps, at: number): void {
    const near = nearValues(packages, offer);
    const watches = watchesThatFit.all(
      offer.itemKey,
      ...near,
      offer.halfStars,
      at,
    ) as unknown as MatchedWatch[];
    for (const watch of watches) {
      const reference: Pence = highestSince(steps, watch.since, offer.price);
      if (!isPriceDrop(reference, offer.price) || !covers(watch, offer)) continue;
      sql.run`insert into alert_message (person, watch, kind, form, state, due_at, created_at)
        values (${watch.person}, ${watch.id}, 'drop', 'template', 'queued', ${at}, ${at})
        on conflict (watch) where state = 'queued' and kind = 'drop' do nothing`;
    }
  }

  function covers({ airport, board, half_stars, departure_day }: MatchedWatch, offer: KnownPackage): boolean {
    const departure = fromDayNumber(departure_day);
    const watched = { ...offer, airport, board, departure, halfStars: half_stars };
    return isSimilarPackage(watched, offer, packages.airportsNear(airport));
  }

  return (changes: readonly PriceChange[]) => {
    const watching = sql.get`select 1 from alert_watch where state = 'active' limit 1`;
    if (watching === undefined) return;
    const moment = nextMoment(sql);
    const at = now();
    const read = packages.reader();
    const offers = changes.map((change) => ({ offer: read(change.new), was: change.old[OFFER.price] }));
    const watched = areWatched(offers.map(({ offer }) => offer));
    forgetPrices(
      database,
      offers.filter(({ offer }) => !watched.has(offer)).map(({ offer }) => offer.itemKey),
    );
    const noted = offers.filter(({ offer }) => watched.has(offer));
    for (const [nth, steps] of note(noted, moment).entries()) {
      const offer = noted[nth]?.offer;
      const highest = steps[0]?.price;
      if (offer && highest && isPriceDrop(highest, offer.price)) tellWatches(offer, steps, at);
    }
  };
}

interface MatchedWatch {
  id: number;
  person: number;
  airport: string;
  board: string;
  half_stars: number;
  departure_day: number;
  /** The moment at which it began, or at which its number was last told of this package. */
  since: number;
}
