import { DEFAULT_PARTY, MAX_OF_A_KIND, type Party } from './party.ts';

/** The parameters of a party. A URL has only those that differ from two adults. */
export const PARTY_PARAMETERS = ['adults', 'children', 'infants'] as const;

export type PartyParameter = (typeof PARTY_PARAMETERS)[number];

/** The parameters that a URL needs for a party. */
export function partyParameters(party: Party): [PartyParameter, string][] {
  return PARTY_PARAMETERS.filter((kind) => party[kind] !== DEFAULT_PARTY[kind]).map((kind) => [
    kind,
    String(party[kind]),
  ]);
}

/** Reads a number of people; null if it is not a valid one. */
export function readCount(kind: PartyParameter, text: string): number | null {
  const count = Number(text);
  const min = kind === 'adults' ? 1 : 0;
  return Number.isInteger(count) && count >= min && count <= MAX_OF_A_KIND ? count : null;
}
