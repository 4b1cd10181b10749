import { expect, it } from 'vitest';
import { MAX_SEARCH_LENGTH } from '../../domain/alert-signup.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import { alertSearch } from './alert-search.ts';

it('keeps a flexible search without its order and page', () => {
  const flexibility = { days: 3, maxNights: 10, places: [['Greece', 'Crete', '']] as const };
  expect(alertSearch({ ...SEARCH, flexibility, sortBy: 'stars-asc', page: 2 })).toBe(
    'country=Spain&region=Costa+Blanca&resort=Benidorm&from=LGW&or=Greece%7CCrete%7C&date=2027-05-01&flex=3&nights=7-10',
  );
});

it('keeps no exact search, and none that is too long to send', () => {
  const places = [['x'.repeat(MAX_SEARCH_LENGTH), '', '']] as const;
  expect(alertSearch(SEARCH)).toBeUndefined();
  expect(alertSearch({ ...SEARCH, flexibility: { ...NO_FLEXIBILITY, places } })).toBeUndefined();
});
