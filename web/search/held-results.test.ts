import { describe, expect, it } from 'vitest';
import { heldFor, LUTON, SEARCH } from '../../tests/fixtures/page-search.ts';
import { whatIsNeeded } from './held-results.ts';

const MORE = { hasMoreData: true, nextToken: 'token' };

describe('whatIsNeeded', () => {
  it('is a new answer if nothing is held', () => {
    expect(whatIsNeeded(null, SEARCH)).toBe('a new answer');
  });

  it.each([
    ['destination', { destination: ['Spain', 'Costa Blanca', ''] as const }],
    ['airport', { departureAirport: LUTON }],
    ['date', { date: '2027-05-02' }],
    ['nights', { duration: 10 as const }],
  ])('is a new answer for another %s', (_, change) => {
    expect(whatIsNeeded(heldFor(SEARCH, 23), { ...SEARCH, ...change })).toBe('a new answer');
  });

  it.each([
    ['page', { page: 3 }],
    ['page size', { perPage: 2 }],
    ['order', { sortBy: 'stars-desc' as const }],
    ['page past the end', { page: 99 }],
  ])('is nothing for another %s if all results are held', (_, change) => {
    expect(whatIsNeeded(heldFor(SEARCH, 23), { ...SEARCH, ...change })).toBe('nothing');
  });

  it('is a new answer for another order if the server has more results', () => {
    const held = heldFor(SEARCH, 100, MORE);
    expect(whatIsNeeded(held, { ...SEARCH, sortBy: 'price-asc' })).toBe('a new answer');
    expect(whatIsNeeded(held, SEARCH)).toBe('nothing');
  });

  it("is a new answer for the server's order if the held results are in another one", () => {
    const byStars = heldFor({ ...SEARCH, sortBy: 'stars-desc' }, 23);
    expect(whatIsNeeded(byStars, SEARCH)).toBe('a new answer');
    const byPrice = heldFor({ ...SEARCH, sortBy: 'price-asc' }, 23);
    expect(whatIsNeeded(byPrice, SEARCH)).toBe('nothing');
  });

  it('is more pages only after the last held page', () => {
    const held = heldFor(SEARCH, 100, MORE);
    expect(whatIsNeeded(held, { ...SEARCH, page: 10 })).toBe('nothing');
    expect(whatIsNeeded(held, { ...SEARCH, page: 11 })).toBe('more pages');
    expect(whatIsNeeded({ ...held, nextToken: null }, { ...SEARCH, page: 11 })).toBe('nothing');
  });
});
