import { DEFAULT_PARTY, MAX_OF_A_KIND, type Party } from '../../domain/party.ts';

/** The parameters of a party. Those with the numbers of two adults are absent from an address. */
export const PARTY_PARAMETERS = ['adults', 'children', 'infants'] as const;

export type PartyParameter = (typeof PARTY_PARAMETERS)[number];

/** The parameters that an address needs for a party. */
export function partyParameters(party: Party): [PartyParameter, string][] {
  return PARTY_PARAMETERS.filter((kind) => party[kind] !== DEFAULT_PARTY[kind]).map((kind) => [
    kind,
    String(party[kind]),
  ]);
}

/** The number of people of a kind; null if `text` is none. */
export function readCount(kind: PartyParameter, text: string): number | null {
  const count = Number(text);
  const least = kind === 'adults' ? 1 : 0;
  return Number.isInteger(count) && count >= least && count <= MAX_OF_A_KIND ? count : null;
}
