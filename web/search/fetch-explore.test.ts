import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ExploreRequest, fetchExplore } from './fetch-explore.ts';

const SERVICE = { searchEndpoint: '/graphql', searchApiKey: 'key', brandCode: 'SKY' };
const LONDON = {
  id: 'region:LOND',
  name: 'London',
  code: 'LOND',
  isRegion: true,
  childAirports: [{ code: 'LGW' }, { code: 'LTN' }],
};
const REQUEST: ExploreRequest = {
  airport: LONDON,
  span: { first: '2027-05-01', last: '2027-05-31' },
  nights: null,
  party: { adults: 2, children: 1, infants: 0 },
};
const CRETE = {
  HolidayCountry: 'Greece',
  HolidayRegion: 'Crete',
  Latitude: 35.3,
  Longitude: 25.5,
  Months: [{ DepartureDate: '2027-05-04', TotalPrice: 612.35 }],
};

async function ask(status: number, body: unknown, question = REQUEST) {
  const sent: { query: string; variables: Record<string, unknown> }[] = [];
  vi.stubGlobal('fetch', async (_url: unknown, { body: text }: { body: string }) => {
    sent.push(JSON.parse(text) as (typeof sent)[number]);
    return new Response(JSON.stringify(body), { status });
  });
  const answer = await fetchExplore(SERVICE, question, new AbortController().signal);
  return { answer, sent };
}

describe('fetchExplore', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setTimerTickMode('nextTimerAsync');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('requests each number of nights that the form offers, one after the other', async () => {
    const { sent, answer } = await ask(200, { data: { explore: [CRETE] } });
    expect(sent.map(({ variables }) => variables.filters)).toMatchObject([
      { duration: 4 },
      { duration: 7 },
      { duration: 10 },
      { duration: 14 },
    ]);
    expect(sent[3]?.variables.filters).toEqual({
      brand: 'SKY',
      startDate: '2027-05-01',
      endDate: '2027-06-14',
      departureAirports: ['LGW', 'LTN'],
      numberOfAdults: 2,
      numberOfChildren: 1,
      numberOfInfants: 0,
      duration: 14,
    });
    const price = { date: '2027-05-04', nights: 4, total: 61_235 };
    const position = { latitude: 35.3, longitude: 25.5 };
    expect(answer).toEqual({
      kind: 'regions',
      regions: [{ country: 'Greece', region: 'Crete', position, lowest: price, months: [price] }],
    });
  });

  it('sends one request for one number of nights', async () => {
    const { sent } = await ask(200, { data: { explore: [] } }, { ...REQUEST, nights: 7 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [400, { error: 'This request costs too much' }],
    [200, { data: null, errors: [{ message: 'too much', extensions: { code: 'BAD_USER_INPUT' } }] }],
  ])('reports a request that is too wide: status %s', async (status, body) => {
    expect((await ask(status, body)).answer).toEqual({ kind: 'too wide' });
  });

  it.each([
    [503, { error: 'busy' }, /answered 503$/],
    [200, { data: null, errors: [{ message: 'broken' }] }, 'GraphQL query failed'],
    [
      200,
      { data: { explore: [{ ...CRETE, Months: [{ DepartureDate: 'soon', TotalPrice: 1 }] }] } },
      /^Invalid /,
    ],
    [200, {}, /^Invalid |^GraphQL query failed$/],
  ])('rejects a response without prices: %s %j', async (status, body, reason) => {
    await expect(ask(status, body)).rejects.toThrow(reason);
  });

  it('keeps the price of a place with an unknown or impossible position', async () => {
    for (const Latitude of [null, undefined, 'north', 123]) {
      const { answer } = await ask(
        200,
        { data: { explore: [{ ...CRETE, Latitude }] } },
        { ...REQUEST, nights: 7 },
      );
      expect(answer).toMatchObject({ regions: [{ region: 'Crete', position: null }] });
    }
  });
});
