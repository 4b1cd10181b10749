import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { requestCost } from './request-cost.ts';
import { schema } from './schema.ts';
import { costRefusal, fieldUnits, MAX_REQUEST_UNITS, sizeClass } from './search-cost.ts';

const DAY = {
  brand: 'SKY',
  startDate: '2027-05-03',
  endDate: '2027-05-10',
  departureAirports: ['LGW'],
  duration: 7,
  country: 'Spain',
};
const AIRPORTS = Array.from({ length: 31 }, (_, nth) => `A${nth}`);

/** The widest search that docs/contracts/graphql.md allows. */
const WIDEST = {
  brand: 'SKY',
  startDate: '2027-05-03',
  endDate: '2028-12-23',
  departureAirports: AIRPORTS,
};

describe('fieldUnits', () => {
  it.each([
    ['one day in a country', { ...DAY }],
    ['one day in a country from everywhere', { ...DAY, departureAirports: AIRPORTS }],
    ['one day anywhere from everywhere', { ...DAY, departureAirports: AIRPORTS, country: '' }],
  ])('lets the main thread answer the page: %s', (_name, filters) => {
    expect(sizeClass(fieldUnits('searchPackages', { filters }))).toBe('small');
  });

  it.each([
    ['fifteen days', { filters: { ...DAY, endDate: '2027-05-24' } }, 'searchPackages', 'quick'],
    ['the page’s nearby dates', { filters: DAY }, 'cheapestDates', 'quick'],
    ['the widest search', { filters: WIDEST }, 'searchPackages', 'wide'],
  ] as const)('puts %s into a thread', (_name, args, field, size) => {
    const units = fieldUnits(field, args);
    expect(sizeClass(units)).toBe(size);
    expect(costRefusal(units)).toBeNull();
  });

  it('refuses the widest nearby dates, and says what to ask instead', () => {
    expect(costRefusal(fieldUnits('cheapestDates', { filters: WIDEST }))).toMatch(
      /453,\d+ units, .+ may cost 65,000\. Ask for fewer days/,
    );
  });

  it('grows with days, stays, places and airports', () => {
    const of = (more: object) => fieldUnits('searchPackages', { filters: { ...DAY, ...more } });
    for (const more of [
      { endDate: '2027-05-11' },
      { endDate: '2027-05-17', duration: null },
      { country: '' },
      { departureAirports: AIRPORTS },
    ]) {
      expect(of(more)).toBeGreaterThan(of({}));
    }
  });
});

describe('requestCost', () => {
  const FIELD = 'searchPackages(filters: $filters) { count }';
  const cost = (selections: string, filters: object = DAY, fragments = '') =>
    requestCost(
      schema,
      parse(`query ($filters: PackageSearchFilters!) { ${selections} } ${fragments}`),
    )({ filters });
  const one = fieldUnits('searchPackages', { filters: DAY });

  it.each([
    ['a field', FIELD, one],
    ['three aliases', `a: ${FIELD} b: ${FIELD} ${FIELD}`, 3 * one],
    ['a field twice under one name', `${FIELD} ${FIELD}`, one],
    ['an inline fragment', `... on Query { a: ${FIELD} } ${FIELD}`, 2 * one],
    ['no field of the store', '__typename', 0],
    ['two fields', `${FIELD} cheapestDates(filters: $filters) { TotalPrice }`, 8 * one],
    ['analyses', 'priceAnalysis(itemKeys: ["a", "b", "c"]) { price }', 1_800],
  ])('counts %s', (_name, selections, units) => {
    expect(cost(selections)).toBe(units);
  });

  it('follows fragments, and enters each once', () => {
    const fragments = `fragment A on Query { a: ${FIELD} ...B } fragment B on Query { b: ${FIELD} }`;
    expect(cost('...A ...B ...A', DAY, fragments)).toBe(2 * one);
  });

  it('refuses two of the widest searches in a request, but not one', () => {
    expect(cost(FIELD, WIDEST)).toBeLessThanOrEqual(MAX_REQUEST_UNITS);
    expect(costRefusal(cost(`a: ${FIELD} b: ${FIELD}`, WIDEST))).not.toBeNull();
  });

  it('leaves invalid variables to the schema', () => {
    expect(cost(FIELD, { startDate: 1 })).toBe(0);
  });
});
