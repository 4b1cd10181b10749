import { describe, expect, it } from 'vitest';
import { LUTON, resultsFor, SEARCH } from '../../tests/fixtures/page-search.ts';
import { whatIsNeeded } from './search-results.ts';

const MORE = { hasMoreData: true, nextToken: 'token' };

describe('whatIsNeeded', () => {
  it('requires new results if nothing is loaded', () => {
    expect(whatIsNeeded(null, SEARCH)).toBe('new results');
  });

  it.each([
    ['destination', { destination: ['Spain', 'Costa Blanca', ''] as const }],
    ['airport', { departureAirport: LUTON }],
    ['date', { date: '2027-05-02' }],
    ['nights', { duration: 10 as const }],
  ])('requires new results for another %s', (_, change) => {
    expect(whatIsNeeded(resultsFor(SEARCH, 23), { ...SEARCH, ...change })).toBe('new results');
  });

  it.each([
    ['page', { page: 3 }],
    ['page size', { perPage: 2 }],
    ['order', { sortBy: 'stars-desc' as const }],
    ['page past the end', { page: 99 }],
  ])('requires nothing for another %s if all results are loaded', (_, change) => {
    expect(whatIsNeeded(resultsFor(SEARCH, 23), { ...SEARCH, ...change })).toBe('nothing');
  });

  it('requires new results for another order if the server has more', () => {
    const loaded = resultsFor(SEARCH, 100, MORE);
    expect(whatIsNeeded(loaded, { ...SEARCH, sortBy: 'price-asc' })).toBe('new results');
    expect(whatIsNeeded(loaded, SEARCH)).toBe('nothing');
  });

  it("requires new results for 'Recommended' if the loaded ones have another order", () => {
    const byStars = resultsFor({ ...SEARCH, sortBy: 'stars-desc' }, 23);
    expect(whatIsNeeded(byStars, SEARCH)).toBe('new results');
    const byPrice = resultsFor({ ...SEARCH, sortBy: 'price-asc' }, 23);
    expect(whatIsNeeded(byPrice, SEARCH)).toBe('nothing');
  });

  it('requires new results for other filters', () => {
    const filtered = { ...SEARCH, refine: { bags: ['1'] } };
    expect(whatIsNeeded(resultsFor(SEARCH, 23), filtered)).toBe('new results');
  });

  it('requires price scores for an order by them', () => {
    const byValue = { ...SEARCH, sortBy: 'value-desc' as const };
    expect(whatIsNeeded(resultsFor(SEARCH, 23), byValue)).toBe('more');
    const scores = { 'value-desc': new Map(), 'drop-desc': new Map() };
    expect(whatIsNeeded(resultsFor(SEARCH, 23, { scores }), byValue)).toBe('nothing');
  });

  it('requires more pages only after the last loaded page', () => {
    const loaded = resultsFor(SEARCH, 100, MORE);
    expect(whatIsNeeded(loaded, { ...SEARCH, page: 10 })).toBe('nothing');
    expect(whatIsNeeded(loaded, { ...SEARCH, page: 11 })).toBe('more');
    expect(whatIsNeeded({ ...loaded, nextToken: null }, { ...SEARCH, page: 11 })).toBe('nothing');
  });
});
