import { STANDING_NOTE } from '../inventory/inventory-notes.ts';
import { readNotes } from '../storage/notes.ts';
import type { Condition } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

const remedyFor = (provider: string) =>
  `Visitors' clicks or checks often find higher prices than its feed. Ask the provider. {price:accuracy} has the counts, and {price:accuracy lift ${provider}} ends this.`;

export const PRICES_DIFFER: Condition<StoreView, StoreFacts> = {
  id: 'prices',
  level: 'warn',
  sentence: 'The prices of $ differ',
  remedy: remedyFor('…'),
  graceMs: 0,
  gauges: [
    gauge(
      'provider_price_standing',
      '0 good, 1 marked, 2 hidden',
      ({ accuracy }) =>
        accuracy.map(({ provider, standing }) => [
          { provider },
          [null, 'marked', 'hidden'].indexOf(standing),
        ]),
      'provider',
    ),
  ],
  read: async ({ database }) =>
    (await readNotes(database, STANDING_NOTE)).map(({ name, value }) => {
      const provider = name.slice(STANDING_NOTE.length);
      const effect = value === 'hidden' ? 'searches hide its packages' : 'its cards carry a warning';
      return {
        subject: `${value} ${provider}`,
        sentence: `The prices of ${provider} differ, so ${effect}`,
        remedy: remedyFor(provider),
      };
    }),
};
