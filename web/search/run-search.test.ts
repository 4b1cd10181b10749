import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heldFor, SEARCH, wireItems } from '../../tests/fixtures/page-search.ts';
import { runSearch, type SearchRun } from './run-search.ts';
import type { HolidaySearch } from './search-address.ts';
import type { SearchAnswer, SearchQuestion } from './search-client.ts';
import type { SearchAction } from './search-reducer.ts';

const warned = vi.fn();
beforeEach(() => {
  warned.mockClear();
  vi.spyOn(console, 'warn').mockImplementation(warned);
});
afterEach(() => vi.restoreAllMocks());

/** Runs a search against a server that returns `answers` in order. */
async function run(search: HolidaySearch, answers: (SearchAnswer | Error)[], more: Partial<SearchRun> = {}) {
  const asked: SearchQuestion[] = [];
  const actions: SearchAction[] = [];
  await runSearch(search, {
    client: async (question) => {
      const answer = answers[asked.length];
      asked.push(question);
      if (answer === undefined) throw new Error('asked once too often');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    brandCode: 'SKY',
    dispatch: (action) => actions.push(action),
    signal: new AbortController().signal,
    held: null,
    inForm: true,
    ...more,
  });
  const stored = actions.find((action) => action.type === 'SET_RESULTS')?.results;
  return { asked, types: actions.map(({ type }) => type), actions, stored };
}

const HUNDRED: SearchAnswer = { items: wireItems(100), nextToken: 'second', hasMoreData: true, count: 123 };
const REST: SearchAnswer = { items: wireItems(23, 100), nextToken: null, hasMoreData: false, count: 123 };

describe('a search', () => {
  it('sends the query, and parses and stores the response', async () => {
    const { asked, types, stored } = await run({ ...SEARCH, sortBy: 'date-desc' }, [REST]);
    expect(types).toEqual(['SET_RESULTS']);
    expect(asked).toEqual([
      {
        filters: expect.objectContaining({ brand: 'SKY', startDate: '2027-05-01', endDate: '2027-05-08' }),
        sortBy: 'DEPARTURE_DATE_DESC',
        limit: 100,
        nextToken: null,
      },
    ]);
    expect(stored).toMatchObject({ sortBy: 'date-desc', hasMoreData: false, nextToken: null });
    expect(stored?.packages).toHaveLength(23);
  });

  // @proves 5.2
  it.each([{ destination: null }, { departureAirport: null }, { date: null }])(
    'finds nothing, without a request, if a part is missing: %j',
    async (missing) => {
      const { asked, stored } = await run({ ...SEARCH, ...missing }, []);
      expect(asked).toEqual([]);
      expect(stored?.packages).toEqual([]);
    },
  );

  it('leaves out an unreadable item, and reports it once', async () => {
    const items = [...wireItems(3), { ItemKey: 'half' }, null];
    const { stored } = await run(SEARCH, [{ items, nextToken: null, hasMoreData: false, count: null }]);
    expect(stored?.packages).toHaveLength(3);
    expect(warned).toHaveBeenCalledOnce();
    expect(warned.mock.calls[0]?.[0]).toContain('2 of 5');
  });

  it('stores the message of a failure, and whether the form shows it', async () => {
    const failed = await run(SEARCH, [new Error('API Error: 500 - no')]);
    expect(failed.actions.at(-1)).toEqual({
      type: 'SET_ERROR',
      message: 'API Error: 500 - no',
      inForm: true,
    });
    const quiet = await run(SEARCH, [new Error('no')], { inForm: false });
    expect(quiet.actions.at(-1)).toMatchObject({ inForm: false });
  });

  it.each([[REST], [new Error('gone')]])('stores nothing after it is aborted', async (answer) => {
    const abort = new AbortController();
    const client = async () => {
      abort.abort();
      if (answer instanceof Error) throw answer;
      return answer;
    };
    expect((await run(SEARCH, [], { client, signal: abort.signal })).types).toEqual([]);
  });
});

describe('a page beyond the held results', () => {
  it('is fetched by the stored token and added, in the requested order', async () => {
    const held = heldFor(SEARCH, 100, { hasMoreData: true, nextToken: 'second' });
    const { asked, stored } = await run({ ...SEARCH, page: 11 }, [REST], { held });
    expect(asked.map(({ nextToken }) => nextToken)).toEqual(['second']);
    expect(stored?.packages).toHaveLength(123);
    expect(stored?.packages.at(-1)?.ItemKey).toBe('item-122');
    expect(stored).toMatchObject({ hasMoreData: false, nextToken: null });
  });

  it('is reached from an address in several requests', async () => {
    const { asked, stored } = await run({ ...SEARCH, page: 12 }, [HUNDRED, REST]);
    expect(asked.map(({ nextToken }) => nextToken)).toEqual([null, 'second']);
    expect(stored?.packages).toHaveLength(123);
  });

  it('keeps the count of the server, also if a later response has none', async () => {
    const first = await run(SEARCH, [HUNDRED]);
    expect(first.stored).toMatchObject({ count: 123 });
    const held = heldFor(SEARCH, 100, { hasMoreData: true, nextToken: 'second', count: 181 });
    const silent = await run({ ...SEARCH, page: 11 }, [{ ...REST, count: null }], { held });
    expect(silent.stored).toMatchObject({ count: 181 });
  });

  it('holds a repeated package only once', async () => {
    const held = heldFor(SEARCH, 100, { hasMoreData: true, nextToken: 'second' });
    const again = { items: wireItems(10, 95), nextToken: null, hasMoreData: false, count: null };
    const { stored } = await run({ ...SEARCH, page: 11 }, [again], { held });
    expect(stored?.packages).toHaveLength(105);
  });

  it('is not requested again if the server announces more and sends nothing', async () => {
    const empty = { items: [], nextToken: 'on and on', hasMoreData: true, count: null };
    const { asked, stored } = await run({ ...SEARCH, page: 99 }, [HUNDRED, empty]);
    expect(asked).toHaveLength(2);
    expect(stored).toMatchObject({ nextToken: null });
  });
});
