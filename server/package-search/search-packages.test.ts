import { describe, expect, it } from 'vitest';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import type { PackageQuestion, PackageRepository, QuestionsOf } from './package-repository.ts';
import { packageSearch } from './search-packages.ts';
import { storeState } from './store-state.ts';

const FILTERS = { brand: 'SKY', startDate: '2027-05-03', endDate: '2027-05-10', departureAirports: ['LGW'] };

describe('packageSearch', () => {
  it('names what it found by the dictionaries of the state that it was found in', async () => {
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

  it('goes on behind the last package of the page before, and counts anew in another state', async () => {
    const store = storeWithOneOffer();
    const search = searchOver(store.repository);
    const first = await search({ filters: FILTERS });
    const nextToken = first.kind === 'answer' ? first.nextToken : null;
    await search({ filters: FILTERS, nextToken });
    expect(store.asked().at(-1)).toMatchObject({ after: [1, 2], knownCount: 9 });
    store.rename('Hotel Nuevo');
    const next = await search({ filters: FILTERS, nextToken });
    expect(store.asked().at(-1)).toMatchObject({ after: [1, 2], knownCount: null });
    const token = next.kind === 'answer' ? next.nextToken : null;
    await search({ filters: FILTERS, nextToken: token });
    expect(store.asked().at(-1)).toMatchObject({ knownCount: 9 });
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
  const offers = smallOffers().slice(0, 1);
  let version = 1;
  let state = stateOf(REFERENCE.hotels);
  const asked: PackageQuestion[] = [];

  function stateOf(hotels: typeof REFERENCE.hotels) {
    const now = storeState(String(version), REFERENCE);
    now.keep({ ...REFERENCE, hotels });
    return now;
  }

  const repository: PackageRepository = {
    async search(questionsOf: QuestionsOf) {
      const questions = questionsOf(state);
      asked.push(...questions);
      const pages = questions.map(() => ({ offers, next: [1, 2], count: 9, statements: 1 }));
      return { pages, state };
    },
    findByKey: async () => [],
    state: async () => state,
    referenceVersion: async () => String(version),
    readNote: async () => null,
    close: async () => {},
  };
  return {
    repository,
    asked: () => asked,
    rename(name: string) {
      version += 1;
      state = stateOf(REFERENCE.hotels.map((hotel) => ({ ...hotel, name })));
    },
  };
}
