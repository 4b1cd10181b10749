import { describe, expect, it } from 'vitest';
import { NOW, REFERENCE, smallOffers } from '../../../tests/fixtures/small-inventory.ts';
import { offerOf } from '../../inventory/offer.ts';
import { cachedCatalogue } from '../../inventory/tables/cached-catalogue.ts';
import type { PackageQuery, PackageRepository, QueriesFor } from '../query/package-repository.ts';
import { parseArguments } from '../query/search-request.ts';
import { packageSearch } from './search-packages.ts';

const FILTERS = { brand: 'SKY', startDate: '2027-05-03', endDate: '2027-05-10', departureAirports: ['LGW'] };

describe('packageSearch', () => {
  it('names packages by the dictionaries of the snapshot that found them', async () => {
    const store = storeWithOneOffer();
    const search = searchOver(store.repository);
    expect(await search({ filters: FILTERS })).toMatchObject({
      items: [expect.stringContaining('del Sol')],
    });
    store.rename('Hotel Nuevo');
    expect(await search({ filters: FILTERS })).toMatchObject({
      items: [expect.stringContaining('Hotel Nuevo')],
    });
  });

  it('continues after the last package of the previous page, and counts again in another state', async () => {
    const store = storeWithOneOffer();
    const search = searchOver(store.repository);
    const first = await search({ filters: FILTERS });
    const nextToken = first.kind === 'response' ? first.nextToken : null;
    await search({ filters: FILTERS, nextToken });
    expect(store.queries().at(-1)).toMatchObject({ after: [1, 2], knownCount: 9 });
    store.rename('Hotel Nuevo');
    const next = await search({ filters: FILTERS, nextToken });
    expect(store.queries().at(-1)).toMatchObject({ after: [1, 2], knownCount: null });
    const token = next.kind === 'response' ? next.nextToken : null;
    await search({ filters: FILTERS, nextToken: token });
    expect(store.queries().at(-1)).toMatchObject({ knownCount: 9 });
  });

  it('does not search the store for a place that is unknown', async () => {
    const store = storeWithOneOffer();
    const answer = await searchOver(store.repository)({ filters: { ...FILTERS, country: 'Atlantis' } });
    expect(answer).toMatchObject({ items: [], count: 0, queriesExecuted: 0 });
    expect(store.queries()).toEqual([]);
  });

  it('searches for two adults by default, and from tomorrow at the earliest', async () => {
    const store = storeWithOneOffer();
    await searchOver(store.repository)({
      filters: { ...FILTERS, startDate: '2027-03-01', endDate: '2027-04-30' },
    });
    expect(store.queries()).toMatchObject([
      { party: 1, firstDay: Math.floor(NOW / 86_400_000) + 1, nights: null },
    ]);
  });
});

function searchOver(repository: PackageRepository) {
  const search = packageSearch({
    repository,
    brandCode: 'SKY',
    collapse: 'hotel',
    tokenKey: Buffer.from('key'),
    now: () => NOW,
  });
  return (variables: object) => search(parseArguments('searchPackages', variables));
}

function storeWithOneOffer() {
  const offers = smallOffers().slice(0, 1).map(offerOf);
  let version = 1;
  let catalogue = catalogueWith(REFERENCE.hotels);
  const queries: PackageQuery[] = [];

  function catalogueWith(hotels: typeof REFERENCE.hotels) {
    const made = cachedCatalogue(String(version), REFERENCE);
    made.add({ ...REFERENCE, hotels });
    return made;
  }

  const repository: PackageRepository = {
    async search(queriesFor: QueriesFor) {
      const made = queriesFor(catalogue);
      queries.push(...made);
      const pages = made.map(() => ({ offers, next: [1, 2], count: 9, isTooWide: false, statements: 1 }));
      return { pages, catalogue, inventoryVersion: String(version) };
    },
    lowestPrices: async () => ({ prices: [], isTooWide: false, catalogue }),
    findByKey: async () => [],
    catalogue: async () => catalogue,
    resortPositions: async () => new Map(),
    hotelsBy: async () => [],
    partiesOnSale: async () => [],
    referenceVersion: async () => String(version),
    inventoryVersion: async () => String(version),
    readNote: async () => null,
    close: async () => {},
  };
  return {
    repository,
    queries: () => queries,
    rename(name: string) {
      version += 1;
      catalogue = catalogueWith(REFERENCE.hotels.map((hotel) => ({ ...hotel, name })));
    },
  };
}
