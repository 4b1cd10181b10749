import { Gauge, type Registry } from 'prom-client';
import type { KnownStoreFacts } from './store-facts.ts';

const A_DAY = 24 * 60 * 60;

/** Gauges of the store's size, its price models and its providers' accuracy, as last read. */
export function registerStoreGauges(
  registry: Registry,
  facts: Pick<KnownStoreFacts, 'latest' | 'refresh'>,
): void {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `skylark_${name}`, help, labelNames, registers: [registry] });
  const bytes = gauge('store_bytes', "Size of the embedded store's files or of the PostgreSQL database");
  const lastDeparture = gauge('store_last_departure_seconds', 'Last departure day on sale, as a Unix time');
  const version = gauge('price_model_version', 'Version of the price models in use');
  const trained = gauge('price_model_trained_seconds', 'Day the price models were trained, as a Unix time');
  const visits = gauge('provider_visits', 'Recorded click-throughs', 'provider');
  const told = gauge(
    'provider_visits_told_again',
    'Click-throughs whose price the feed has confirmed or changed since',
    'provider',
  );
  const same = gauge('provider_price_same_ratio', 'Share of those whose price was the one shown', 'provider');
  const near = gauge(
    'provider_price_within_1_percent_ratio',
    'Share of those whose price was within 1% of the one shown',
    'provider',
  );
  const miss = gauge(
    'provider_price_median_miss_percent',
    'Median deviation of the next price from the one shown',
    'provider',
  );
  const importedAt = gauge('feed_last_import_seconds', 'Time of the last import, as a Unix time', 'provider');
  const imported = gauge('feed_packages', 'Packages in the last import', 'provider');
  const refused = gauge('feed_rows_refused', 'Rows that the last import refused', 'provider');
  new Gauge({
    name: 'skylark_store_offers',
    help: 'Packages in the store when last counted',
    registers: [registry],
    async collect() {
      const known = facts.latest() ?? (await facts.refresh().catch(() => null));
      // Unknown, which is not the same as zero.
      if (known === null) return this.set(Number.NaN);
      this.set(known.offers);
      bytes.set(known.bytes);
      if (known.lastDeparture !== null) lastDeparture.set(known.lastDeparture * A_DAY);
      if (known.priceModels !== null) {
        version.set(known.priceModels.version);
        trained.set(known.priceModels.trainedDay * A_DAY);
      }
      for (const one of [importedAt, imported, refused]) one.reset();
      for (const { provider, last } of known.imports) {
        importedAt.set({ provider }, Date.parse(last.at) / 1_000);
        imported.set({ provider }, last.packages);
        refused.set({ provider }, last.refused);
      }
      for (const one of [visits, told, same, near, miss]) one.reset();
      for (const { provider, ...accuracy } of known.accuracy) {
        visits.set({ provider }, accuracy.visits);
        told.set({ provider }, accuracy.toldAgain);
        if (accuracy.toldAgain === 0) continue;
        same.set({ provider }, accuracy.same);
        near.set({ provider }, accuracy.within1Percent);
        miss.set({ provider }, accuracy.medianMiss);
      }
    },
  });
}
