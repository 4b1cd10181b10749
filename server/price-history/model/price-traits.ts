import { fromDayNumber } from '../../../domain/calendar-date.ts';
import { monthOfDay } from '../../../domain/month.ts';
import { ukHoliday } from '../../../domain/uk-holidays.ts';
import type { UkNation } from '../../../domain/uk-nation.ts';
import type { OfferKey } from '../../inventory/offer-columns.ts';

/** The price model's input: a package without its price. IDs are the store's. */
export interface PricedPackage {
  departureDay: number;
  nights: number;
  party: number;
  /** What the party pays, in fares of one adult who shares a room; see `faresOf`. */
  fares: number;
  country: number;
  region: number;
  resort: number;
  hotel: number;
  airport: number;
  /** The airport's nation, whose holidays apply. */
  nation: UkNation;
  board: number;
  room: number;
  provider: number;
  halfStars: number;
}

/** What the model needs to know about airports and parties, by ID. */
export interface PricedRecords {
  nationOf(airport: number): UkNation;
  faresOf(party: number): number;
}

/** The shares of an adult's fare that a child and an infant usually pay. The party's coefficients correct them. */
const CHILD_FARE = 0.6;
const INFANT_FARE = 0.1;

/**
 * The number of adult fares that a party pays. Prices are estimated per fare, so that all parties' prices
 * help to estimate each other.
 */
export function faresOf(party: { adults: number; children: number; infants: number }): number {
  return party.adults + CHILD_FARE * party.children + INFANT_FARE * party.infants;
}

/** The price model's input for an offer. */
export function pricedPackageOf(key: OfferKey, halfStars: number, records: PricedRecords): PricedPackage {
  const [departureDay, nights, party, country, region, resort, airport, hotel, board, room, provider] = key;
  const place = { country, region, resort, hotel, airport, nation: records.nationOf(airport) };
  const offered = { departureDay, nights, party, board, room, provider };
  return { ...offered, ...place, fares: records.faresOf(party), halfStars };
}

/**
 * The price model's traits, with the L2 penalty of each level's coefficient: about the variance of the noise
 * divided by the trait's. A high penalty shrinks rare levels, such as a hotel's month, more.
 */
export const TRAIT_PENALTIES = {
  resort: 1,
  month: 2,
  season: 2,
  holiday: 1,
  week: 3,
  day: 4,
  nights: 1,
  stars: 1,
  board: 1,
  room: 1,
  roomNights: 2,
  party: 1,
  partyNights: 2,
  hotelParty: 1.5,
  airport: 1,
  weekday: 2,
  lead: 2,
  regionLead: 3,
  provider: 1,
  hotel: 1,
  hotelMonth: 1.5,
  age: 2,
  providerAge: 4,
} as const;

export type Trait = keyof typeof TRAIT_PENALTIES;

export const TRAITS = Object.keys(TRAIT_PENALTIES) as Trait[];

/** Lead times, in days, at which a new level begins. */
const LEAD_STEPS = [8, 15, 29, 61, 121, 211, 271];

/** Ages of a price, in days, at which a new level begins. Today's price has the first level. */
export const AGE_STEPS = [3, 7, 14];

/** The traits that depend on the party. */
export type PartyTrait = 'room' | 'roomNights' | 'party' | 'partyNights' | 'hotelParty';

export function partyLevels({
  party,
  room,
  nights,
  hotel,
}: Pick<PricedPackage, 'party' | 'room' | 'nights' | 'hotel'>): Record<PartyTrait, string> {
  return {
    room: `${room}`,
    roomNights: `${room}/${nights}`,
    party: `${party}`,
    partyNights: `${party}/${nights}`,
    hotelParty: `${hotel}/${party}`,
  };
}

/** Levels of the traits that depend on a price's age, which differs between fits. */
export function ageLevels(provider: number, daysAgo: number): Record<'age' | 'providerAge', string> {
  const age = AGE_STEPS.filter((days) => daysAgo >= days).length;
  return { age: `${age}`, providerAge: `${provider}/${age}` };
}

/** Each trait's level, in the order of `TRAITS`, for a package priced on the newest day. */
export function traitLevels(priced: PricedPackage, pricedDay: number): string[] {
  const { departureDay, region, hotel, provider } = priced;
  const departureMonth = monthOfDay(departureDay);
  const month = departureMonth % 12;
  const lead = LEAD_STEPS.filter((days) => departureDay - pricedDay >= days).length;
  const levels: Record<Trait, string | number> = {
    resort: priced.resort,
    month,
    season: `${region}/${month}`,
    holiday: holidayName(departureDay, priced.nation),
    week: Math.floor((departureDay + 3) / 7),
    day: departureDay,
    nights: priced.nights,
    stars: priced.halfStars,
    board: priced.board,
    ...partyLevels(priced),
    airport: priced.airport,
    weekday: (departureDay + 4) % 7,
    lead,
    regionLead: `${region}/${lead}`,
    provider,
    hotel,
    hotelMonth: `${hotel}/${departureMonth}`,
    ...ageLevels(provider, 0),
  };
  return TRAITS.map((trait) => String(levels[trait]));
}

/** The holiday of a departure day; '' if there is none. */
export function holidayName(departureDay: number, nation: UkNation): string {
  const name = `${departureDay}/${nation}`;
  const known = holidayNames.get(name);
  if (known !== undefined) return known;
  const found = ukHoliday(fromDayNumber(departureDay), nation)?.name ?? '';
  holidayNames.set(name, found);
  return found;
}

/** Caches names by day and nation, because a training repeats the same few hundred days. */
const holidayNames = new Map<string, string>();
