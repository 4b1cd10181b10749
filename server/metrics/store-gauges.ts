import { Gauge, type Registry } from 'prom-client';
import type { KnownStoreFacts } from './store-facts.ts';

const A_DAY = 24 * 60 * 60;

/** The store's size, its models and its providers' accuracy, as last read. */
export function registerStoreGauges(
  registry: Registry,
  facts: Pick<KnownStoreFacts, 'latest' | 'refresh'>,
): void {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `skylark_${name}`, help, labelNames, registers: [registry] });
  const bytes = gauge('store_bytes', "The embedded store's files");
  const lastDeparture = gauge('store_last_departure_seconds', 'The last departure day on sale, as a time');
  const version = gauge('price_model_version', 'The version of the price models in use');
  const trained = gauge('price_model_trained_seconds', 'The day the price models were made on, as a time');
  const visits = gauge('provider_visits', 'Click-throughs that are kept', 'provider');
  const told = gauge(
    'provider_visits_told_again',
    'Of them, those whose price the feed has told since',
    'provider',
  );
  const same = gauge(
    'provider_price_same_ratio',
    'Of these, the share whose price was the one shown',
    'provider',
  );
  const near = gauge('provider_price_within_1_percent_ratio', 'The share within 1% of it', 'provider');
  const miss = gauge(
    'provider_price_median_miss_percent',
    'How far the price told next lay off, in the median',
    'provider',
  );
  const importedAt = gauge('feed_last_import_seconds', 'When a feed was last taken, as a time', 'provider');
  const imported = gauge('feed_packages', 'Packages of the last import', 'provider');
  const refused = gauge('feed_rows_refused', 'Rows that it refused', 'provider');
  new Gauge({
    name: 'skylark_store_offers',
    help: 'Packages that the store holds, as last counted',
    registers: [registry],
    async collect() {
      const known = facts.latest() ?? (await facts.refresh().catch(() => null));
      // No count is another thing than a count of none.
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
