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
    (await readNotes(database, STANDING_NOTE)).map(({ name, value }) => ({
      subject: `${value} ${name.slice(STANDING_NOTE.length)}`,
      sentence: `The prices of ${name.slice(STANDING_NOTE.length)} differ`,
      remedy: remedyFor(name.slice(STANDING_NOTE.length)),
      detail: value === 'hidden' ? 'searches leave its packages out' : 'its cards carry a warning',
    })),
};
