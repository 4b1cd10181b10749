import { expect, it } from 'vitest';
import { REFERENCE } from '../../tests/fixtures/small-inventory.ts';
import { buildCatalogue } from '../inventory/catalogue.ts';
import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import { placeView } from './place-view.ts';

const EMPTY_FACETS = { boards: [], stars: [] } as never;

it('describes the place and its lowest prices to search engines', () => {
  const catalogue = buildCatalogue(REFERENCE, {
    hotels: new Map(),
    flights: new Map(),
    rooms: new Map(),
  }) as CachedCatalogue;
  const lowest = { nights: 7, country: 1, region: 1, resort: 1 };
  const html = placeView({
    names: ['Spain', 'Costa <Blanca>', ''],
    level: 'region',
    country: 1,
    region: 1,
    resort: null,
    month: null,
    catalogue,
    prices: [
      { ...lowest, day: 20_940, price: 51_250 },
      { ...lowest, day: 20_980, price: 49_900 },
    ],
    hotels: [],
    hotelCount: 12,
    facets: EMPTY_FACETS,
    isIndexed: true,
    coverage: null,
    brandName: 'Seaward',
    publicUrl: 'https://seaward.example',
    nowMs: Date.UTC(2027, 3, 1),
  });
  const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toEqual({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'Spain', item: 'https://seaward.example/holidays/spain' },
          {
            '@type': 'ListItem',
            position: 2,
            name: 'Costa <Blanca>',
            item: 'https://seaward.example/holidays/spain/costa-blanca',
          },
        ],
      },
      {
        '@type': 'Product',
        name: 'Package holidays in Costa <Blanca>',
        description: 'Flight and hotel for two adults and seven nights, compared by Seaward.',
        url: 'https://seaward.example/holidays/spain/costa-blanca',
        offers: {
          '@type': 'AggregateOffer',
          priceCurrency: 'GBP',
          lowPrice: 499,
          highPrice: 512.5,
          offerCount: 12,
          priceValidUntil: '2027-04-02',
        },
      },
    ],
  });
});
