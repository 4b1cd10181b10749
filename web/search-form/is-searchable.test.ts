import { expect, it } from 'vitest';
import type { DestinationTuple } from '../../domain/destination.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import { isSearchable } from './is-searchable.ts';

const GATWICK = { id: 'LGW', name: 'London Gatwick', code: 'LGW', isRegion: false };
const CASES: [DestinationTuple | null, typeof GATWICK | null, boolean][] = [
  [['Spain', '', ''], GATWICK, true],
  [['', '', 'Benidorm'], GATWICK, true],
  [['Spain', '', ''], null, false],
  [null, GATWICK, false],
  [['', ' ', ''], GATWICK, false],
  [null, null, false],
];

// @proves 2.20
it.each(CASES)('for destination %j and airport %j returns %s', (tuple, departureAirport, expected) => {
  const destination = tuple && { label: 'as shown', tuple };
  const value = {
    destination,
    departureAirport,
    date: null,
    duration: 7 as const,
    party: DEFAULT_PARTY,
    flexibility: NO_FLEXIBILITY,
  };
  expect(isSearchable(value)).toBe(expected);
});
