import { describe, expect, it } from 'vitest';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import type { PackageQuestion, PackageRepository } from './package-repository.ts';
import { packageSearch } from './search-packages.ts';

const FILTERS = { brand: 'SKY', startDate: '2027-05-03', endDate: '2027-05-10', departureAirports: ['LGW'] };

describe('packageSearch', () => {
  it('names what it found by the dictionaries as they are then, and reads them once', async () => {
    const store = storeWithOneOffer();
    const search = searchOver(store.repository);
    await search({ filters: FILTERS });
    await search({ filters: FILTERS });
    expect(store.readings()).toBe(1);
    // Replaced while a search is under way.
    store.duringSearch = () => store.rename('Hotel Nuevo');
    const answer = await search({ filters: FILTERS });
    expect(answer).toMatchObject({ items: [expect.stringContaining('Hotel Nuevo')] });
    expect(store.readings()).toBe(2);
  });

  it('asks nothing of the store where no name in the search is known', async () => {
    const store = storeWithOneOffer();
    const answer = await searchOver(store.repository)({ filters: { ...FILTERS, country: 'Atlantis' } });
    expect(answer).toMatchObject({ items: [], count: 0, queriesExecuted: 0 });
    expect(store.asked()).toEqual([]);
  });

  it('takes two adults where no party is named, and never a day before tomorrow', async () => {
    const store = storeWithOneOffer();
    await searchOver(store.repository)({
      filters: { ...FILTERS, startDate: '2027-03-01', endDate: '2027-04-30' },
    });
    expect(store.asked()).toMatchObject([
      { party: 1, firstDay: Math.floor(NOW / 86_400_000) + 1, nights: null },
    ]);
  });
});

function searchOver(repository: PackageRepository) {
  return packageSearch({
    repository,
    brandCode: 'SKY',
    collapse: 'hotel',
    tokenKey: Buffer.from('key'),
    now: () => NOW,
  });
}

function storeWithOneOffer() {
  let reference = REFERENCE;
  let version = 1;
  let readings = 0;
  const asked: PackageQuestion[] = [];
  const store = {
    duringSearch: () => {},
    rename(name: string) {
      reference = { ...reference, hotels: reference.hotels.map((hotel) => ({ ...hotel, name })) };
      version += 1;
    },
    readings: () => readings,
    asked: () => asked,
    repository: {
      async search(question: PackageQuestion) {
        asked.push(question);
        store.duringSearch();
        return { offers: smallOffers().slice(0, 1), next: null, count: 1, statements: 1 };
      },
      async findByKey() {
        return [];
      },
      async referenceVersion() {
        return String(version);
      },
      async readReference() {
        readings += 1;
        return reference;
      },
      async readNote() {
        return null;
      },
      async close() {},
    },
  };
  return store;
}
