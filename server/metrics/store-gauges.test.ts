import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import type { StoreFacts } from '../conditions/store-facts.ts';
import { registerStoreGauges } from './store-gauges.ts';

it('waits at most a second for the first facts of a large store', async () => {
  const clock = virtualClock();
  const registry = new Registry();
  const facts = Promise.withResolvers<StoreFacts>();
  let known: StoreFacts | null = null;
  registerStoreGauges(registry, { latest: () => known, refresh: () => facts.promise }, clock);

  const scraped = registry.metrics();
  await clock.advance(1_000);
  const first = await scraped;
  for (const name of ['store_offers', 'backup_last_good_seconds', 'price_model_trained_seconds']) {
    expect(first).toMatch(new RegExp(`^skylark_${name} Nan$`, 'm'));
  }

  known = {
    offers: 7,
    lastDeparture: null,
    bytes: 0,
    priceModels: null,
    accuracy: [],
    backups: { goodAt: null, failure: null },
    imports: [],
    feeds: [],
  };
  const second = await registry.metrics();
  expect(second).toMatch(/^skylark_store_offers 7$/m);
  expect(second).toMatch(/^skylark_backup_last_good_seconds Nan$/m);
});
