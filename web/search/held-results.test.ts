import { describe, expect, it } from 'vitest';
import { heldFor, LUTON, SEARCH } from '../../tests/fixtures/page-search.ts';
import { whatIsNeeded } from './held-results.ts';

const MORE = { hasMoreData: true, nextToken: 'token' };

describe('what a search needs from the server', () => {
  it('is a new answer where nothing is held', () => {
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
  ])('is nothing for another %s of what is all held', (_, change) => {
    expect(whatIsNeeded(heldFor(SEARCH, 23), { ...SEARCH, ...change })).toBe('nothing');
  });

  it('is a new answer for another order where the server has more', () => {
    const held = heldFor(SEARCH, 100, MORE);
    expect(whatIsNeeded(held, { ...SEARCH, sortBy: 'price-asc' })).toBe('a new answer');
    expect(whatIsNeeded(held, SEARCH)).toBe('nothing');
  });

  it("is a new answer for the server's own order where another one was asked for", () => {
    const byStars = heldFor({ ...SEARCH, sortBy: 'stars-desc' }, 23);
    expect(whatIsNeeded(byStars, SEARCH)).toBe('a new answer');
    const byPrice = heldFor({ ...SEARCH, sortBy: 'price-asc' }, 23);
    expect(whatIsNeeded(byPrice, SEARCH)).toBe('nothing');
  });

  it('is more pages past the last page held, and only there', () => {
    const held = heldFor(SEARCH, 100, MORE);
    expect(whatIsNeeded(held, { ...SEARCH, page: 10 })).toBe('nothing');
    expect(whatIsNeeded(held, { ...SEARCH, page: 11 })).toBe('more pages');
    expect(whatIsNeeded({ ...held, nextToken: null }, { ...SEARCH, page: 11 })).toBe('nothing');
  });
});
