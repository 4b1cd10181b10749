import { expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { INTERNAL_CALLER } from '../lib/caller.ts';
import { Overloaded } from '../lib/overloaded.ts';
import type { EventLoopTurns } from '../lib/work-queue/turns.ts';
import { graphqlAnswers } from './answer-graphql.ts';
import type { SearchAnswer, SearchPackages } from './search-packages.ts';

const FILTERS = {
  brand: 'SKY',
  startDate: '2027-05-03',
  endDate: '2027-09-10',
  departureAirports: ['LGW', 'MAN', 'STN', 'LTN'],
  duration: 7,
};
const NOTHING: SearchAnswer = {
  kind: 'answer',
  items: [],
  nextToken: null,
  count: 0,
  hasMoreData: false,
  queriesExecuted: 0,
};
const REFUSED = { kind: 'bad-token', message: 'Search again.' } as const;

const never = () => Promise.reject(new Error('Not asked'));

/** What becomes of the time for the answer to a large search. */
async function timeOf(query: string, search: SearchPackages) {
  const time = { reserved: 0, taken: 0, released: 0 };
  const turns: EventLoopTurns = {
    request: async () => ({ isHeldBack: false, heldBackMs: 0, isOver: () => false }),
    reserveAnswer() {
      time.reserved += 1;
      let isTaken = false;
      return {
        async take() {
          isTaken = true;
          time.taken += 1;
        },
        release() {
          if (!isTaken) time.released += 1;
        },
      };
    },
    inThread: (caller, _expectedMs, work) => work(caller),
    rest: async () => {},
    smallRequest() {},
  };
  const others = {
    priceAnalysis: never,
    priceHistory: never,
    cheapestDates: never,
    priceCalendar: never,
    explore: never,
  };
  const options = { introspection: false, collapse: 'hotel', turns } as const;
  const answer = graphqlAnswers({ direct: search, schema: search }, others, options);
  const variables = { filters: FILTERS, limit: 100 };
  await answer({ query, variables, operationName: null }, INTERNAL_CALLER).catch(() => {});
  return time;
}

it.each([
  ['by the page', SEARCH_PACKAGES_QUERY],
  ['by another query', `# Another text\n${SEARCH_PACKAGES_QUERY}`],
])('gives the time for an answer back if there is none to make: asked %s', async (_who, query) => {
  const answered = await timeOf(query, async (_variables, caller) => {
    await caller?.answerTurn();
    return NOTHING;
  });
  expect(answered).toEqual({ reserved: 1, taken: 1, released: 0 });
  const failed = await timeOf(query, () => Promise.reject(new Overloaded(1_000)));
  expect(failed).toEqual({ reserved: 1, taken: 0, released: 1 });
  const refused = await timeOf(query, async () => REFUSED);
  expect(refused.released).toBe(refused.reserved);
});

it('sets time aside once for a request of several fields', async () => {
  const query = `query ($filters: PackageSearchFilters!) {
    one: searchPackages(filters: $filters, limit: 60) { count }
    other: searchPackages(filters: $filters, limit: 60) { count }
  }`;
  let turns = 0;
  const answered = await timeOf(query, async (_variables, caller) => {
    await caller?.answerTurn();
    turns += 1;
    return NOTHING;
  });
  expect(answered).toEqual({ reserved: 1, taken: 2, released: 0 });
  expect(turns).toBe(2);
});
