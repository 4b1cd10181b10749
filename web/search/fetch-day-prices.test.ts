import { describe, expect, it } from 'vitest';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { createDayPrices } from './fetch-day-prices.ts';

const SERVICE = { searchEndpoint: 'https://search.example/graphql', searchApiKey: 'key' };

function filters(changes: Partial<PackageSearchFilters> = {}): PackageSearchFilters {
  return {
    brand: 'SKY',
    startDate: '2027-05-01',
    endDate: '2027-06-07',
    departureAirports: ['LGW'],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration: 7,
    country: 'Spain',
    ...changes,
  };
}

interface Sent {
  query: string;
  variables: Record<string, PackageSearchFilters>;
}

/** A service that answers each alias with one price, 100 pounds for each night. */
function service(answer?: () => Response) {
  const sent: Sent[] = [];
  let now = 0;
  const fetchDayPrices = createDayPrices({
    now: () => now,
    pauseMs: 0,
    send: (_url, request) => {
      const body = JSON.parse(typeof request?.body === 'string' ? request.body : '') as Sent;
      sent.push(body);
      if (answer) return Promise.resolve(answer());
      const data = Object.fromEntries(
        Object.entries(body.variables).map(([name, { startDate, duration }]) => [
          name.replace('filters', 'prices'),
          [{ DepartureDate: startDate, TotalPrice: duration * 100.005 }],
        ]),
      );
      return Promise.resolve(Response.json({ data }));
    },
  });
  return {
    sent,
    pass: (ms: number) => {
      now += ms;
    },
    ask: (asked: PackageSearchFilters[], signal = new AbortController().signal) =>
      fetchDayPrices(SERVICE, asked, signal),
  };
}

describe('Prices by day', () => {
  it('are asked for in one request, with a field for each of the filters', async () => {
    const { ask, sent } = service();
    const prices = await ask([filters({ duration: 4 }), filters({ duration: 14 })]);
    expect(prices.map((each) => [...each])).toEqual([[['2027-05-01', 40_002]], [['2027-05-01', 140_007]]]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.query).toContain('prices1: priceCalendar(filters: $filters1)');
    expect(Object.keys(sent[0]?.variables ?? {})).toEqual(['filters0', 'filters1']);
  });

  it('are asked for once in five minutes, and only those that are missing', async () => {
    const { ask, sent, pass } = service();
    await ask([filters()]);
    const [known, fetched] = await ask([filters(), filters({ duration: 10 })]);
    expect([...(known?.values() ?? [])]).toEqual([70_004]);
    expect([...(fetched?.values() ?? [])]).toEqual([100_005]);
    expect(sent.map(({ variables }) => Object.values(variables).map(({ duration }) => duration))).toEqual([
      [7],
      [10],
    ]);
    pass(5 * 60_000);
    await ask([filters()]);
    expect(sent).toHaveLength(3);
  });

  it('need no request if nothing is asked', async () => {
    const { ask, sent } = service();
    expect(await ask([])).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('are not asked for if the question is superseded during the pause', async () => {
    const { ask, sent } = service();
    const abort = new AbortController();
    const answer = ask([filters()], abort.signal);
    abort.abort(new Error('superseded'));
    await expect(answer).rejects.toThrow('superseded');
    expect(sent).toEqual([]);
  });

  it.each([
    ['an error status', () => new Response('busy', { status: 503 }), /answered 503/],
    ['GraphQL errors', () => Response.json({ errors: [{ message: 'too wide' }], data: null }), /Expected/],
    ['a missing field', () => Response.json({ data: {} }), /without prices/],
    [
      'a day that does not exist',
      () => Response.json({ data: { prices0: [{ DepartureDate: '2027-02-30', TotalPrice: 1 }] } }),
      /Invalid/,
    ],
    [
      'a price that is no number',
      () => Response.json({ data: { prices0: [{ DepartureDate: '2027-02-01', TotalPrice: '1' }] } }),
      /Expected/,
    ],
  ])('reject %s, and are asked for again', async (_what, answer, reason) => {
    const { ask, sent } = service(answer);
    await expect(ask([filters()])).rejects.toThrow(reason);
    await expect(ask([filters()])).rejects.toThrow(reason);
    expect(sent).toHaveLength(2);
  });
});
