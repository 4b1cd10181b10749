import { expect, it } from 'vitest';
import {
  compareParties,
  DEFAULT_PARTY,
  isDefaultParty,
  isSearchableParty,
  isSoldTo,
  offeredParties,
  partyCode,
  partyWords,
} from './party.ts';

const party = (adults: number, children = 0, infants = 0) => ({ adults, children, infants });

it.each([
  [party(1), '1 adult'],
  [party(2), '2 adults'],
  [party(2, 1), '2 adults, 1 child'],
  [party(2, 2, 1), '2 adults, 2 children, 1 infant'],
  [party(1, 0, 2), '1 adult, 2 infants'],
])('describes %j as %j', (who, words) => {
  expect(partyWords(who)).toBe(words);
});

it('recognises the party of Section 9 by its numbers', () => {
  expect(isDefaultParty(party(2))).toBe(true);
  expect([party(1), party(2, 1), party(2, 0, 1)].some(isDefaultParty)).toBe(false);
});

it('accepts parties with an adult and at most 20 of each kind', () => {
  expect([party(1), party(20, 20, 20)].every(isSearchableParty)).toBe(true);
  expect([party(0, 2), party(21), party(2, 21), party(2, 0, 21)].some(isSearchableParty)).toBe(false);
});

it('orders parties by adults, then children, then infants', () => {
  const sorted = [party(2, 2), party(2), party(1), party(2, 0, 1), party(2, 1)].sort(compareParties);
  expect(sorted.map(partyCode)).toEqual(['1-0-0', '2-0-0', '2-0-1', '2-1-0', '2-2-0']);
});

it('always offers two adults, in the order of the settings', () => {
  const solo = { adults: 1, children: 0, infants: 0 };
  expect(offeredParties([])).toEqual([DEFAULT_PARTY]);
  expect(offeredParties([solo])).toEqual([DEFAULT_PARTY, solo]);
  expect(offeredParties([solo, DEFAULT_PARTY])).toEqual([solo, DEFAULT_PARTY]);
  expect(isSoldTo([], DEFAULT_PARTY)).toBe(true);
  expect(isSoldTo([solo], solo)).toBe(true);
  expect(isSoldTo([], solo)).toBe(false);
});
