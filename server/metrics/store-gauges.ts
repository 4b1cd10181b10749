import type { Registry } from 'prom-client';
import { type GaugeOf, gauge } from '../conditions/gauge.ts';
import { FEED_CONDITIONS } from '../conditions/store-conditions.ts';
import { providerGauge, type StoreFacts } from '../conditions/store-facts.ts';
import type { Clock } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import { registerGauges } from './register-gauges.ts';

const DAY_SECONDS = 24 * 60 * 60;

type Accuracy = StoreFacts['accuracy'][number];

function accuracyGauge(name: string, help: string, valueIn: (one: Accuracy) => number | null) {
  const read = ({ accuracy }: StoreFacts) =>
    accuracy.flatMap((one) => {
      const value = valueIn(one);
      return value === null ? [] : [[{ provider: one.provider }, value] as const];
    });
  return gauge(`provider_${name}`, help, read, 'provider');
}

const STORE_GAUGES: readonly GaugeOf<StoreFacts>[] = [
  gauge('store_bytes', "Size of the embedded store's files or of the PostgreSQL database", (of) => of.bytes),
  gauge(
    'store_last_departure_seconds',
    'Last departure day on sale, as a Unix time',
    ({ lastDeparture }) => lastDeparture && lastDeparture * DAY_SECONDS,
  ),
  gauge(
    'price_model_version',
    'Version of the price models in use',
    ({ priceModels }) => priceModels?.version ?? null,
  ),
  accuracyGauge('visits', 'Recorded click-throughs and price checks', ({ visits }) => visits),
  accuracyGauge('price_median_rise_percent', 'Median rise of the prices that rose', (of) => of.medianUp),
  accuracyGauge('price_median_fall_percent', 'Median fall of the prices that fell', (of) => of.medianDown),
  gauge(
    'provider_visits_next_price',
    "Click-throughs and checks by the provider's next price: same, up, down, sold_out, unknown",
    ({ accuracy }) =>
      accuracy.flatMap(({ provider, same, up, down, soldOut: sold_out, unknown }) =>
        Object.entries({ same, up, down, sold_out, unknown }).map(
          ([outcome, clicks]) => [{ provider, outcome }, clicks] as const,
        ),
      ),
    'provider',
    'outcome',
  ),
  providerGauge(
    'feed_rows_refused',
    'Rows that the last import refused',
    ({ last }) => last?.refused ?? null,
  ),
  gauge(
    'feed_last_attempt_seconds',
    'Time of the last attempt',
    ({ feeds }) =>
      feeds.flatMap(({ provider, isListed, feed }) =>
        feed === null || !isListed
          ? []
          : [[{ provider, outcome: feed.last.outcome }, feed.last.startedAt / 1_000] as const],
      ),
    'provider',
    'outcome',
  ),
  ...FEED_CONDITIONS.flatMap(({ gauges = [] }) => gauges),
];

/** Gauges of the store, from the last reading. */
export function registerStoreGauges(
  registry: Registry,
  facts: { latest(): StoreFacts | null; refresh(): Promise<StoreFacts> },
  clock: Clock,
): void {
  const read = inTime(() => facts.refresh(), clock);
  registerGauges(registry, STORE_GAUGES, async () => facts.latest() ?? (await read()));
}
