/** Numbers of travellers. Feeds give no ages (Section 3). */
export interface Party {
  adults: number;
  children: number;
  infants: number;
}

/** Section 9's defaults. */
export const DEFAULT_PARTY: Party = { adults: 2, children: 0, infants: 0 };

/** The most people of each kind that a search accepts. */
export const MAX_OF_A_KIND = 20;

/** Adults, children and infants, such as '2-1-0'. */
export function partyCode({ adults, children, infants }: Party): string {
  return `${adults}-${children}-${infants}`;
}

/** '2 adults, 1 child'. */
export function partyWords({ adults, children, infants }: Party): string {
  return [
    counted(adults, 'adult', 'adults'),
    counted(children, 'child', 'children'),
    counted(infants, 'infant', 'infants'),
  ]
    .filter(Boolean)
    .join(', ');
}

export function isDefaultParty(party: Party): boolean {
  return partyCode(party) === partyCode(DEFAULT_PARTY);
}

/** The parties that visitors can choose. Two adults are always included (Section 9). */
export function offeredParties(parties: readonly Party[]): readonly Party[] {
  return parties.some(isDefaultParty) ? parties : [DEFAULT_PARTY, ...parties];
}

/** Whether packages are sold to a party. `parties` comes from the settings. */
export function isSoldTo(parties: readonly Party[], party: Party): boolean {
  return offeredParties(parties).some((offered) => partyCode(offered) === partyCode(party));
}

/** The party among `parties` that differs from the given one by the fewest people. */
export function nearestParty(parties: readonly Party[], { adults, children, infants }: Party): Party {
  const distance = (party: Party) =>
    Math.abs(party.adults - adults) + Math.abs(party.children - children) + Math.abs(party.infants - infants);
  return offeredParties(parties).reduce((best, party) => (distance(party) < distance(best) ? party : best));
}

/** Whether a party can be searched for: at least one adult, at most 20 of each kind. */
export function isSearchableParty({ adults, children, infants }: Party): boolean {
  return adults >= 1 && Math.max(adults, children, infants) <= MAX_OF_A_KIND;
}

/** Compares by adults, then children, then infants. */
export function compareParties(one: Party, other: Party): number {
  return one.adults - other.adults || one.children - other.children || one.infants - other.infants;
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
}
