import { expect, it } from 'vitest';
import { MAX_SEARCH_LENGTH } from '../../domain/alert-signup.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import { type HolidaySearch, toSearchUrl } from '../search/search-url.ts';
import { alertSearch } from './alert-search.ts';

const kept = (search: HolidaySearch) => alertSearch(toSearchUrl(search));

it('keeps a flexible search without its order and page', () => {
  const flexibility = { days: 3, maxNights: 10, places: [['Greece', 'Crete', '']] as const };
  expect(kept({ ...SEARCH, flexibility, sortBy: 'stars-asc', page: 2 })).toBe(
    'country=Spain&region=Costa+Blanca&resort=Benidorm&from=LGW&or=Greece%7CCrete%7C&date=2027-05-01&flex=3&nights=7-10',
  );
});

it.each([
  { ...NO_FLEXIBILITY, days: 1 },
  { ...NO_FLEXIBILITY, maxNights: 14 },
  { ...NO_FLEXIBILITY, places: [['Malta', '', '']] as const },
])('keeps a search with any one option: %j', (flexibility) => {
  expect(kept({ ...SEARCH, flexibility })).toBeDefined();
});

it('keeps no exact search, and none that is too long to send', () => {
  const places = [['x'.repeat(MAX_SEARCH_LENGTH), '', '']] as const;
  expect(kept(SEARCH)).toBeUndefined();
  expect(kept({ ...SEARCH, flexibility: { ...NO_FLEXIBILITY, places } })).toBeUndefined();
});
