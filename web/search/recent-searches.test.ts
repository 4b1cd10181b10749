import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import { clearRecentSearches, parseRecentSearches, readStored, saveRecentSearch } from './recent-searches.ts';

const TODAY = '2027-01-10';

function stubStorage() {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
}

const read = () => parseRecentSearches(readStored(), TODAY);

beforeEach(stubStorage);
afterEach(() => vi.unstubAllGlobals());

describe('recent searches', () => {
  it('are kept newest first, at most ten, without duplicates, at their first page', () => {
    for (const day of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '03']) {
      saveRecentSearch({ ...SEARCH, date: `2027-05-${day}`, page: 4 }, TODAY);
    }
    expect(read().map(({ details }) => details)).toEqual(
      ['3rd', '11th', '10th', '9th', '8th', '7th', '6th', '5th', '4th', '2nd'].map(
        (day) => `London Gatwick, ${day} May 2027, 7 nights`,
      ),
    );
    expect(read()[0]).toMatchObject({
      place: 'Benidorm, Costa Blanca, Spain',
      address: expect.stringMatching(/^\/results\?.*date=2027-05-03.*&page=1$/),
    });
  });

  it('do not include incomplete searches', () => {
    saveRecentSearch({ ...SEARCH, destination: null }, TODAY);
    expect(read()).toEqual([]);
  });

  it('are removed after their departure day, or when they are cleared', () => {
    saveRecentSearch(SEARCH, TODAY);
    expect(parseRecentSearches(readStored(), '2027-04-30')).toHaveLength(1);
    expect(parseRecentSearches(readStored(), '2027-05-01')).toEqual([]);
    clearRecentSearches();
    expect(read()).toEqual([]);
  });

  it.each([
    null,
    '',
    '{',
    '"text"',
    '[1]',
    '[{"address":"https://elsewhere.example/","place":"a","details":"b"}]',
    '[{"address":"//elsewhere.example/results?","place":"a","details":"b"}]',
    '[{"address":"/results?country=Spain","place":"","details":"b"}]',
    '[{"address":"/results?country=Spain&date=2027-99-99","place":"a","details":"b"}]',
  ])('are empty if the stored text is %j', (stored) => {
    expect(parseRecentSearches(stored, TODAY)).toEqual([]);
  });

  it('work without storage', () => {
    vi.stubGlobal('localStorage', undefined);
    expect(readStored()).toBeNull();
    expect(() => saveRecentSearch(SEARCH, TODAY)).not.toThrow();
    expect(() => clearRecentSearches()).not.toThrow();
  });
});
