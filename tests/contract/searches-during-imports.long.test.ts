import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { overloadIn } from '../../server/lib/overloaded.ts';
import { cheapestDates } from '../../server/package-search/fields/cheapest-dates.ts';
import { packageSearch, type SearchPackages } from '../../server/package-search/fields/search-packages.ts';
import type { Collapse, PackageRepository } from '../../server/package-search/query/package-repository.ts';
import { parseArguments } from '../../server/package-search/query/search-request.ts';
import { openPackageRepository } from '../../server/package-search/store/open-package-repository.ts';
import { FEED_NOW, feedItem, ndjson } from '../fixtures/feed-site.ts';
import { importInProcess } from '../fixtures/import-process.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { readersOf } from '../fixtures/test-threads.ts';

const PROVIDERS = {
  providers: [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'], atol: '12345' }],
};

const DAY = '2027-06-12';
const FILTERS = {
  brand: 'SKY',
  startDate: DAY,
  endDate: '2027-06-19',
  departureAirports: ['LGW'],
  duration: 7,
  country: 'Spain',
};

/** Three states of a provider's packages. Each hotel's name, stars and price differ between them. */
const STATES = [
  { hotels: 25, price: 500, stars: 3, name: 'Hotel One', resort: 'Benidorm' },
  { hotels: 40, price: 800, stars: 4, name: 'Hotel Two', resort: 'Benidorm' },
  { hotels: 30, price: 650, stars: 5, name: 'Hotel Three', resort: 'Albir' },
];

const IMPORTS = 10;

describe.each(STORE_KINDS)('Searches of the %s store while feeds are imported', (kind) => {
  let store: TestStore;
  let repository: PackageRepository;

  beforeEach(async () => {
    store = await makeStore(kind);
    await imports(1);
    repository = await openPackageRepository(store.address, readersOf(store.address));
  });
  afterEach(async () => {
    await repository.close();
    await store.remove();
  });

  function imports(count: number, from = 0): Promise<void> {
    return importInProcess({
      store: store.address,
      dataDir: store.folder,
      lists: join(import.meta.dirname, '../../assets'),
      providers: PROVIDERS,
      provider: 'SUNW',
      feeds: [...STATES.slice(from), ...STATES.slice(0, from)].map(feedOf),
      imports: count,
      now: FEED_NOW + from * 60_000,
    });
  }

  /** The distinct results of `ask` during the imports, as JSON. */
  async function answersDuring(ask: () => Promise<unknown>): Promise<Set<string>> {
    let isOver = false;
    const importing = imports(IMPORTS, 1).then(() => {
      isOver = true;
    });
    const answers = new Set<string>();
    const visitor = async () => {
      while (!isOver) {
        const answer = await ask().catch((error: unknown) => {
          // On a busy machine, some may be rejected.
          if (overloadIn(error) === null) throw error;
          return null;
        });
        if (answer !== null) answers.add(JSON.stringify(answer));
        // Lets the event loop notice that the import's process has exited.
        await new Promise(setImmediate);
      }
    };
    await Promise.all([importing, ...Array.from({ length: 8 }, visitor)]);
    return answers;
  }

  it.each([
    { what: 'one day, a card a hotel', collapse: 'hotel', change: {} },
    { what: 'one day, every package', collapse: 'none', change: {} },
    {
      what: 'many days, a card a hotel',
      collapse: 'hotel',
      change: { startDate: '2027-05-20', endDate: '2027-07-01' },
    },
    { what: 'a resort', collapse: 'hotel', change: { region: 'Costa Blanca', resort: 'Benidorm' } },
    { what: 'stars', collapse: 'none', change: { starRating: 4 } },
  ] as const)('return one state: $what', async ({ collapse, change }) => {
    const filters = { ...FILTERS, ...change };
    const search = searchOver(repository, collapse);
    const answers = await answersDuring(async () =>
      factsOf(await search(parseArguments('searchPackages', { filters, limit: 100 }))),
    );
    const isFound = (state: State) =>
      (!('resort' in filters) || state.resort === filters.resort) &&
      (!('starRating' in filters) || state.stars === filters.starRating);
    const legal = STATES.map((state) =>
      JSON.stringify(isFound(state) ? factsOfState(state) : { count: 0, items: [] }),
    );
    expect([...answers].filter((answer) => !legal.includes(answer))).toEqual([]);
    expect(answers.size).toBeGreaterThan(1);
  });

  it('return the cheapest dates of one state', async () => {
    const dates = cheapestDates({ repository, brandCode: 'SKY', now: () => FEED_NOW });
    const answers = await answersDuring(() => dates(parseArguments('cheapestDates', { filters: FILTERS })));
    const legal = STATES.map(({ price }) =>
      JSON.stringify({
        kind: 'dates',
        dates: [DAY, '2027-06-13'].map((day) => ({ DepartureDate: day, TotalPrice: price })),
      }),
    );
    expect([...answers].filter((answer) => !legal.includes(answer))).toEqual([]);
    expect(answers.size).toBeGreaterThan(1);
  });

  it.each(['hotel', 'none'] as const)(
    'continue after a page whose packages were replaced, collapse %s',
    async (collapse) => {
      const search = searchOver(repository, collapse);
      const first = await search(parseArguments('searchPackages', { filters: FILTERS, limit: 10 }));
      if (first.kind !== 'response') throw new Error('The first page was refused');
      expect(first).toMatchObject({ count: 25, hasMoreData: true });
      // Replaces the first state. The second is more expensive, so all its packages come after the first page.
      await imports(1, 1);
      const names: unknown[] = [];
      let nextToken = first.nextToken;
      while (nextToken !== null) {
        const page = await search(
          parseArguments('searchPackages', { filters: FILTERS, limit: 10, nextToken }),
        );
        if (page.kind !== 'response') throw new Error('A later page was refused');
        expect(page.count).toBe(40);
        names.push(...page.items.map(nameOf));
        nextToken = page.nextToken;
      }
      expect(names).toHaveLength(40);
      expect(new Set(names)).toEqual(new Set(factsOfState(STATES[1]).items.map(([name]) => name)));
    },
  );
});

type State = (typeof STATES)[number];

/** A state's feed: each hotel has a package on two departure days. */
function feedOf({ hotels, price, stars, name, resort }: State): string {
  return ndjson(
    Array.from({ length: hotels }, (_, nth) =>
      [DAY, '2027-06-13'].map((day) =>
        feedItem({
          HotelIdentifierCode: `${resort}-${nth}`,
          HotelName: `${name} ${nth}`,
          StarRating: stars,
          HolidayResort: resort,
          TotalPrice: price,
          DepartureDate: day,
        }),
      ),
    ).flat(),
  );
}

function searchOver(repository: PackageRepository, collapse: Collapse): SearchPackages {
  return packageSearch({
    repository,
    brandCode: 'SKY',
    collapse,
    tokenKey: Buffer.from('a key'),
    now: () => FEED_NOW,
  });
}

interface Facts {
  count: number;
  items: unknown[][];
}

/** What a response says about each hotel. */
function factsOf(answer: Awaited<ReturnType<SearchPackages>>): Facts {
  if (answer.kind !== 'response') throw new Error(answer.message);
  const items = answer.items.map((text) => {
    const item = JSON.parse(text) as { TotalPrice: number; Hotel: string; HolidayResort: string };
    const hotel = JSON.parse(item.Hotel) as { HotelName: string; StarRating: number };
    return [hotel.HotelName, hotel.StarRating, item.TotalPrice, item.HolidayResort];
  });
  return { count: answer.count, items: inOrder(items) };
}

function factsOfState(state: State | undefined): Facts {
  if (state === undefined) throw new Error('There is no such state');
  const { hotels, name, stars, price, resort } = state;
  const items = Array.from({ length: hotels }, (_, nth) => [`${name} ${nth}`, stars, price, resort]);
  return { count: hotels, items: inOrder(items) };
}

function inOrder(items: unknown[][]): unknown[][] {
  return items.toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
}

function nameOf(text: string): unknown {
  const { Hotel: hotel } = JSON.parse(text) as { Hotel: string };
  return (JSON.parse(hotel) as { HotelName: string }).HotelName;
}
