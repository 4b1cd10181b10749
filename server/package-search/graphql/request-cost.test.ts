import fc from 'fast-check';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { costRefusal, fieldUnits, MAX_REQUEST_UNITS, mostItems } from '../query/search-cost.ts';
import { parseField, ROOT_FIELDS, type RootField } from '../query/search-request.ts';
import { type CostOfVariables, requestCost } from './request-cost.ts';
import { schema } from './schema.ts';

const DAY = {
  brand: 'SKY',
  startDate: '2027-05-03',
  endDate: '2027-05-10',
  departureAirports: ['LGW'],
  duration: 7,
  country: 'Spain',
};
const AIRPORTS = Array.from({ length: 31 }, (_, nth) => `A${nth}`);
const LONDON = AIRPORTS.slice(0, 6);

/** The widest filters that docs/contracts/graphql.md allows. */
const WIDEST = {
  brand: 'SKY',
  startDate: '2027-05-03',
  endDate: '2028-12-23',
  departureAirports: AIRPORTS,
};
const MONTHS_18 = { ...DAY, endDate: '2028-11-10' };

function unitsIn(cost: ReturnType<CostOfVariables>): number {
  if (!('units' in cost)) throw new Error(`Invalid: ${cost.join('; ')}`);
  return cost.units;
}

const FIELDS: readonly RootField[] = [
  'searchPackages',
  'cheapestDates',
  'priceCalendar',
  'explore',
  'priceAnalysis',
];

const unitsOf = (field: RootField, filters: object) => fieldUnits(parseField(field, { filters }), 'hotel');
const searchUnits = (filters: object) => unitsOf('searchPackages', filters);

describe('fieldUnits', () => {
  it.each([
    ['one day in a country', DAY],
    ['one day in a country from everywhere', { ...DAY, departureAirports: AIRPORTS }],
    ['one day anywhere from everywhere', { ...DAY, departureAirports: AIRPORTS, country: '' }],
  ])('lets the main thread answer the page: %s', (_name, filters) => {
    expect(searchUnits(filters)).toBeLessThanOrEqual(100);
  });

  it.each([
    ['the nearby dates anywhere', 'cheapestDates', { ...DAY, departureAirports: AIRPORTS, country: '' }],
    [
      'a calendar of 18 months from everywhere',
      'priceCalendar',
      { ...MONTHS_18, departureAirports: AIRPORTS },
    ],
    ['places from a region at any time', 'explore', { ...WIDEST, departureAirports: LONDON, duration: 7 }],
    ['the widest search', 'searchPackages', WIDEST],
  ] as const)('permits %s, and leaves it to another thread', (_name, field, filters) => {
    const units = unitsOf(field, filters);
    expect(units).toBeGreaterThan(100);
    expect(costRefusal(units)).toBeNull();
  });

  it('charges further filters and facets for what they read, also if a fragment selects them', () => {
    const plain = searchUnits(DAY);
    const units = [
      fieldUnits(parseField('searchPackages', { filters: DAY }), 'hotel', true),
      fieldUnits(parseField('searchPackages', { filters: DAY, refine: { bags: true } }), 'hotel'),
      requestCost(
        schema,
        parse(`query ($filters: PackageSearchFilters!) { searchPackages(filters: $filters) { ...some } }
          fragment some on SearchPackagesAnswer { facets { bags } }`),
        'hotel',
      )({ filters: DAY }),
    ];
    expect(units).toEqual([plain + 3, plain + 3, expect.objectContaining({ units: plain + 3 })]);
  });

  it('charges each of seven days of offers with further filters or an order by guest rating', () => {
    const filters = { ...DAY, endDate: '2027-05-16' };
    const units = (args: object) => fieldUnits(parseField('searchPackages', { filters, ...args }), 'hotel');
    expect(units({ sortBy: 'GUEST_RATING_DESC' })).toBe(25 + 7 * 7);
    expect(units({ refine: {} })).toBe(Math.ceil(25 + 1.4 * 7 * 7));
    const several = { ...filters, country: null, places: [{ country: 'Spain' }, { region: 'Crete' }] };
    expect(units({ refine: {}, filters: several })).toBe(Math.ceil(25 + 1.4 * 7 * 9));
  });

  it('permits ten analyses, but not twenty', () => {
    const units = fieldUnits(
      parseField('priceAnalysis', { itemKeys: Array.from({ length: 10 }, String) }),
      'hotel',
    );
    expect(costRefusal(units)).toBeNull();
    expect(costRefusal(2 * units)).toMatch(/2,600 units, .+ limit is 2,000\. Request fewer days/);
  });

  it('grows with days, stays, places and airports', () => {
    for (const more of [
      { endDate: '2027-05-11' },
      { endDate: '2027-05-17', duration: null },
      { endDate: '2027-05-13', maxDuration: 10, lastDeparture: '2027-05-03' },
      { country: null, places: [{ country: 'Spain' }, { region: 'Crete' }] },
      { country: '' },
      { departureAirports: AIRPORTS },
    ]) {
      expect(searchUnits({ ...DAY, ...more })).toBeGreaterThan(searchUnits(DAY));
    }
  });

  it('does not grow with the rest of the window for nearby dates, which are seven days', () => {
    expect(unitsOf('cheapestDates', { ...DAY, duration: null })).toBe(
      unitsOf('cheapestDates', { ...DAY, duration: null, endDate: '2028-11-10' }),
    );
  });

  it('grows with the items of a search', () => {
    const ofLimit = (limit: number) =>
      fieldUnits(parseField('searchPackages', { filters: DAY, limit }), 'hotel');
    expect(ofLimit(100)).toBe(ofLimit(10) + 45);
  });

  it('is never below that of any search, whatever the arguments', () => {
    const values = fc.oneof(fc.anything(), fc.integer(), fc.double(), fc.constantFrom(WIDEST, DAY));
    const args = fc.oneof(
      fc.anything(),
      fc.record({ filters: values, limit: values, itemKeys: values }, { requiredKeys: [] }),
      fc.record({ filters: fc.constantFrom(WIDEST, DAY), limit: fc.oneof(fc.integer(), fc.double()) }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), args, (field, given) => {
        const parsed = parseField(field, given);
        expect(fieldUnits(parsed, 'hotel')).toBeGreaterThanOrEqual(20);
        expect(mostItems(parsed)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('counts the days of a long window where every package is returned', () => {
    expect(fieldUnits(parseField('searchPackages', { filters: MONTHS_18 }), 'none')).toBe(MAX_REQUEST_UNITS);
    expect(searchUnits(MONTHS_18)).toBeLessThan(MAX_REQUEST_UNITS / 10);
  });
});

describe('requestCost', () => {
  it('permits the schema once in a request', () => {
    const costOf = (text: string) => unitsIn(requestCost(schema, parse(text), 'hotel')({}));
    expect(costRefusal(costOf('{ __schema { types { name } } }'))).toBeNull();
    expect(
      costRefusal(costOf('{ a: __schema { types { name } } b: __type(name: "Query") { name } }')),
    ).toContain('too expensive');
    expect(costOf('{ __typename }')).toBe(0);
  });

  const FIELD = 'searchPackages(filters: $filters) { count }';
  const costOrErrors = (selections: string, filters: object, fragments = '') =>
    requestCost(
      schema,
      parse(`query ($filters: PackageSearchFilters!) { ${selections} } ${fragments}`),
      'hotel',
    )({ filters });
  const cost = (selections: string, filters: object = DAY, fragments = '') => {
    return unitsIn(costOrErrors(selections, filters, fragments));
  };
  const one = searchUnits(DAY);

  it.each([
    ['a field', FIELD, one],
    ['three aliases', `a: ${FIELD} b: ${FIELD} ${FIELD}`, 3 * one],
    ['a field twice under one name', `${FIELD} ${FIELD}`, one],
    ['an inline fragment', `... on Query { a: ${FIELD} } ${FIELD}`, 2 * one],
    ['no field of the store', '__typename', 0],
    [
      'two fields',
      `${FIELD} cheapestDates(filters: $filters) { TotalPrice }`,
      one + unitsOf('cheapestDates', DAY),
    ],
    ['a calendar', 'priceCalendar(filters: $filters) { TotalPrice }', unitsOf('priceCalendar', DAY)],
    ['places', 'explore(filters: $filters) { TotalPrice }', unitsOf('explore', DAY)],
    ['analyses', 'priceAnalysis(itemKeys: ["a", "b", "c"]) { price }', 390],
  ])('counts %s', (_name, selections, units) => {
    expect(cost(selections)).toBe(units);
  });

  it('knows the cost of every root field', () => {
    const fields = Object.keys(schema.getQueryType()?.getFields() ?? {});
    expect(fields.toSorted()).toEqual(ROOT_FIELDS.toSorted());
  });

  it('follows fragments, and enters each once', () => {
    const fragments = `fragment A on Query { a: ${FIELD} ...B } fragment B on Query { b: ${FIELD} }`;
    expect(cost('...A ...B ...A', DAY, fragments)).toBe(2 * one);
  });

  it.each([
    FIELD,
    'priceCalendar(filters: $filters) { TotalPrice }',
    'explore(filters: $filters) { TotalPrice }',
  ])('refuses two of the widest in a request, but not one: %s', (field) => {
    expect(costRefusal(cost(field, WIDEST))).toBeNull();
    expect(costRefusal(cost(`a: ${field} b: ${field}`, WIDEST))).not.toBeNull();
  });

  it('permits a calendar of 18 months for each of four lengths of stay', () => {
    const calendars = ['a', 'b', 'c', 'd'].map(
      (name) => `${name}: priceCalendar(filters: $filters) { TotalPrice }`,
    );
    expect(costRefusal(cost(calendars.join(' '), MONTHS_18))).toBeNull();
  });

  it('refuses ten searches of a hundred packages each, but not three', () => {
    const search = (name: number) => `a${name}: searchPackages(filters: $filters, limit: 100) { count }`;
    const ofSearches = (count: number) =>
      cost(Array.from({ length: count }, (_, nth) => search(nth)).join(' '));
    expect(ofSearches(1)).toBe(one + 45);
    expect(costRefusal(ofSearches(3))).toBeNull();
    expect(costRefusal(ofSearches(10))).not.toBeNull();
  });

  const hundred = (selections: string) => `searchPackages(filters: $filters, limit: 100) { ${selections} }`;
  const ALIASES = Array.from({ length: 10 }, (_, nth) => `a${nth}`);
  const again = (field: string) => `${field} ${ALIASES.map((name) => `${name}: ${field}`).join(' ')}`;

  it('counts items for each name that they have in the response', () => {
    const once = cost(hundred('items { Flight }'));
    // Half a unit per item, and four more beyond the first hundred.
    expect(cost(hundred('items { Flight } a: items { Flight }'))).toBe(once + 450);
    expect(costRefusal(cost(hundred(again('items { Flight }'))))).not.toBeNull();
    expect(cost(hundred('count a: count b: count items { Flight }'))).toBe(once);
  });

  it.each([
    ['of their fields', 'items { Flight a: Flight }', ''],
    ['in a fragment', '...A', 'fragment A on SearchPackagesAnswer { items { Flight } a: items { Flight } }'],
    ['in fragments inside', 'items { ...A Flight }', 'fragment A on PackageSearchItem { ... { a: Flight } }'],
  ])('counts items again for aliases %s', (_name, selections, fragments) => {
    expect(cost(hundred(selections), DAY, fragments)).toBe(cost(hundred('items { Flight }')) + 450);
  });

  it('counts items again for aliases in merged parts of a response', () => {
    const parts = `${hundred('items { Flight }')} ${hundred('items { a: Flight } b: items { Flight }')}`;
    expect(cost(parts)).toBe(cost(hundred('items { Flight }')) + 900);
  });

  it('multiplies the aliases of items with those of their fields', () => {
    const inside = 'Flight a: Flight b: Flight';
    expect(cost(hundred(`items { ${inside} } a: items { ${inside} }`))).toBe(
      cost(hundred('items { Flight }')) + 5 * 450,
    );
  });

  it.each([
    ['months', 'explore', 'Months { Month }', 'Months { Month } a: Months { Month }', 200],
    ['fields of months', 'explore', 'Months { Month }', 'Months { Month a: Month }', 200],
    ['names of places', 'explore', 'HolidayResort', 'HolidayResort a: HolidayResort', 200],
    ['days', 'priceCalendar', 'TotalPrice', 'TotalPrice a: TotalPrice', 23],
    ['nearby dates', 'cheapestDates', 'TotalPrice', 'TotalPrice a: TotalPrice', 1],
  ])('counts %s for each name that they have in the response', (_name, field, once, twice, units) => {
    const costOf = (selections: string) => cost(`${field}(filters: $filters) { ${selections} }`, MONTHS_18);
    expect(costOf(twice)).toBe(costOf(once) + units);
  });

  it('doubles the cost of repeats in a query with conditions, but not of single items', () => {
    const once = cost(hundred('items { Flight }'));
    expect(cost(hundred('items { Flight } hasMoreData @skip(if: true)'))).toBe(once);
    expect(cost(hundred('items { Flight } a: items { Flight } hasMoreData @skip(if: true)'))).toBe(
      once + 900,
    );
  });

  it('counts the days of analyses and histories for each name that they have in the response', () => {
    const analyses = (day: string) =>
      cost(`priceAnalysis(itemKeys: ["a", "b"]) { evidence { history { ${day} } } }`);
    expect(analyses('day a: day')).toBe(analyses('day') + 3);
    const history = (day: string) => cost(`priceHistory(itemKey: "a") { prices { ${day} } }`);
    expect(history('day a: day')).toBe(history('day') + 4);
  });

  it('returns the errors of invalid variables, even of those that the compiled query would accept', () => {
    expect(costOrErrors(FIELD, { ...DAY, startDate: 1 })).toEqual([
      expect.objectContaining({ message: expect.stringContaining('$filters') }),
    ]);
    const named = parse(
      `query q($constructor: String!) { priceHistory(itemKey: $constructor) { ItemKey } ${FIELD} }`,
    );
    expect(requestCost(schema, named, 'hotel')({})).toEqual([
      expect.objectContaining({ message: expect.stringContaining('$constructor') }),
    ]);
  });

  it.each([
    ['keys', Object.fromEntries(Array.from({ length: 1_900 }, (_, nth) => [`k${nth}`, 1]))],
    ['airports', { ...DAY, departureAirports: Array.from({ length: 1_900 }, (_, nth) => nth) }],
  ])('returns only the first error for 1,900 wrong %s', (_name, filters) => {
    expect(costOrErrors(FIELD, filters)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('$filters') }),
    ]);
  });
});
