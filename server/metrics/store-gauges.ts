import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';
import { inTime } from './in-time.ts';
import type { KnownStoreFacts } from './store-facts.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Gauges of the store's size, price models and providers' accuracy, from the last reading. */
export function registerStoreGauges(
  registry: Registry,
  facts: Pick<KnownStoreFacts, 'latest' | 'refresh'>,
  clock: Clock,
): void {
  const read = inTime(() => facts.refresh(), clock);
  function gauge(name: string, help: string, ...labelNames: string[]) {
    const made = new Gauge({ name: `skylark_${name}`, help, labelNames, registers: [registry] });
    // Unknown until the store has been read. 0 would trigger alarms on age.
    if (labelNames.length === 0) made.set(Number.NaN);
    return made;
  }
  // Registered first, because it sets the others when it is collected.
  new Gauge({
    name: 'skylark_store_offers',
    help: 'Packages in the store when last counted',
    registers: [registry],
    async collect() {
      const known = facts.latest() ?? (await read());
      // NaN means unknown; zero would be wrong.
      if (known === null) return this.set(Number.NaN);
      this.set(known.offers);
      bytes.set(known.bytes);
      // NaN, because 0 would mean 1970 and trigger alarms on age.
      lastDeparture.set(known.lastDeparture === null ? Number.NaN : known.lastDeparture * DAY_SECONDS);
      version.set(known.priceModels?.version ?? Number.NaN);
      trained.set(known.priceModels === null ? Number.NaN : known.priceModels.trainedDay * DAY_SECONDS);
      backup.set(known.backups.goodAt === null ? Number.NaN : known.backups.goodAt / 1_000);
      failed.set(known.backups.failure === null ? 0 : 1);
      for (const one of [importedAt, lateAt, imported, refused, attempted, held, failures]) one.reset();
      for (const { provider, isListed, feed, last, ...state } of known.feeds) {
        if (!isListed) continue;
        if (state.matchedAt !== null) importedAt.set({ provider }, state.matchedAt / 1_000);
        if (state.lateAt !== null) lateAt.set({ provider }, state.lateAt / 1_000);
        imported.set({ provider }, last === null || state.isEmpty ? 0 : last.packages);
        if (last !== null) refused.set({ provider }, last.refused);
        held.set({ provider }, feed === null || feed.held === null ? 0 : 1);
        failures.set({ provider }, feed?.failures.length ?? 0);
        if (feed !== null)
          attempted.set({ provider, outcome: feed.last.outcome }, feed.last.startedAt / 1_000);
      }
      for (const one of [visits, next, rise, fall, standing]) one.reset();
      for (const { provider, ...accuracy } of known.accuracy) {
        visits.set({ provider }, accuracy.visits);
        standing.set({ provider }, [null, 'marked', 'hidden'].indexOf(accuracy.standing));
        const { same, up, down, soldOut: sold_out, unknown, medianUp, medianDown } = accuracy;
        for (const [outcome, clicks] of Object.entries({ same, up, down, sold_out, unknown }))
          next.set({ provider, outcome }, clicks);
        if (medianUp !== null) rise.set({ provider }, medianUp);
        if (medianDown !== null) fall.set({ provider }, medianDown);
      }
    },
  });
  const bytes = gauge('store_bytes', "Size of the embedded store's files or of the PostgreSQL database");
  const lastDeparture = gauge('store_last_departure_seconds', 'Last departure day on sale, as a Unix time');
  const version = gauge('price_model_version', 'Version of the price models in use');
  const trained = gauge('price_model_trained_seconds', 'Day the price models were trained, as a Unix time');
  const backup = gauge('backup_last_good_seconds', 'Time of the last good backup, as a Unix time');
  const failed = gauge('backup_failed', '1 if the latest backup or its test failed');
  const visits = gauge('provider_visits', 'Recorded click-throughs and price checks', 'provider');
  const next = gauge(
    'provider_visits_next_price',
    "Click-throughs and checks by the provider's next price: same, up, down, sold_out, unknown",
    'provider',
    'outcome',
  );
  const rise = gauge('provider_price_median_rise_percent', 'Median rise of the prices that rose', 'provider');
  const fall = gauge('provider_price_median_fall_percent', 'Median fall of the prices that fell', 'provider');
  const standing = gauge('provider_price_standing', '0 good, 1 marked, 2 hidden', 'provider');
  const importedAt = gauge(
    'feed_last_import_seconds',
    'When the packages last matched the source, even if withdrawn since, as a Unix time',
    'provider',
  );
  const lateAt = gauge('feed_late_after_seconds', 'When the feed counts as late, as a Unix time', 'provider');
  const attempted = gauge('feed_last_attempt_seconds', 'Time of the last attempt', 'provider', 'outcome');
  const held = gauge('feed_held', '1 while a feed waits for an operator', 'provider');
  const failures = gauge('feed_failures', 'Failed attempts since the last good one', 'provider');
  const imported = gauge('feed_packages', 'Packages of the last import; 0 if none is on sale', 'provider');
  const refused = gauge('feed_rows_refused', 'Rows that the last import refused', 'provider');
}
