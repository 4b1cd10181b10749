import { type Airport, expandAirport } from '../../domain/airport.ts';
import { type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import { formatBriefWeekday } from '../../domain/day-words.ts';
import type { DestinationTuple } from '../../domain/destination.ts';
import { DURATIONS } from '../../domain/duration.ts';
import type { Pence } from '../../domain/money.ts';
import { offeredParties, type Party, partyWords } from '../../domain/party.ts';
import { countriesOf, type PlacePrices } from '../search/place-prices.ts';
import type { DayPrices } from '../search/price-month.ts';
import type { SearchTrip } from '../search/search-url.ts';

/** The most offers of a kind. */
const MAX_OFFERS = 4;

type Kind = 'Nearest days' | 'Other airports' | 'Other nights' | 'Other places' | 'Fewer travellers';

/** A change of a trip, which may have holidays. */
export interface OtherTrip {
  kind: Kind;
  /** '' for other days. */
  words: string;
  change: Partial<SearchTrip>;
}

/** A change of a trip that has holidays. */
export interface Offer extends OtherTrip {
  price: Pence;
}

/** Changes of days, airport, nights and travellers. */
export function otherTrips(
  { departureAirport, duration, party, flexibility }: SearchTrip,
  airports: readonly Airport[],
  parties: readonly Party[],
): OtherTrip[] {
  const own = departureAirport === null ? [] : expandAirport(departureAirport);
  const others = airports.filter(({ isRegion, code }) => !isRegion && !own.includes(code));
  const nights = DURATIONS.filter((each) => each < duration || each > (flexibility.maxNights ?? duration));
  const size = ({ adults, children, infants }: Party) => adults + children + infants;
  return [
    { kind: 'Nearest days', words: '', change: {} },
    ...[...new Map(others.map((airport) => [airport.code, airport])).values()].map((airport) => ({
      kind: 'Other airports' as const,
      words: airport.name,
      change: { departureAirport: airport },
    })),
    ...nights.map((each) => ({
      kind: 'Other nights' as const,
      words: `${each} nights`,
      change: { duration: each, flexibility: { ...flexibility, maxNights: null } },
    })),
    ...offeredParties(parties)
      .filter((each) => size(each) < size(party))
      .sort((one, other) => size(other) - size(one))
      .slice(0, MAX_OFFERS)
      .map((each) => ({
        kind: 'Fewer travellers' as const,
        words: partyWords(each),
        change: { party: each },
      })),
  ];
}

/** Offers for a trip from the prices of the days around `date`: the nearest days, or else the nearest day. */
export function offersOf(trip: OtherTrip, prices: DayPrices, date: CalendarDate): Offer[] {
  const distance = (day: CalendarDate) => Math.abs(daysBetween(date, day));
  const isOfDays = trip.kind === 'Nearest days';
  return [...prices]
    .sort(([one], [other]) => distance(one) - distance(other) || (one < other ? -1 : 1))
    .slice(0, isOfDays ? MAX_OFFERS : 1)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, price]) => offerOn(trip, day, price, date));
}

/** Offers of places around the trip's: its region, its country, and other regions there, or else anywhere. */
export function placeOffers(
  regions: readonly PlacePrices[],
  { destination, flexibility }: SearchTrip,
  date: CalendarDate,
): Offer[] {
  const [country = '', region = '', resort = ''] = destination ?? [];
  const offer = (words: string, tuple: DestinationTuple, { lowest }: PlacePrices) =>
    offerOn(
      {
        kind: 'Other places',
        words,
        change: { destination: tuple, flexibility: { ...flexibility, maxNights: null, places: [] } },
      },
      lowest.date,
      lowest.total,
      date,
    );
  const inCountry = regions.filter((each) => each.country === country);
  const own = inCountry.find((each) => each.region === region);
  const others = inCountry.filter((each) => each.region !== region);
  const [whole] = others.length > 0 && region !== '' ? countriesOf(inCountry) : [];
  return [
    ...(own && resort !== '' ? [offer(`Anywhere in ${region}`, [country, region, ''], own)] : []),
    ...(whole ? [offer(`Anywhere in ${country}`, [country, '', ''], whole)] : []),
    ...(others.length > 0 ? others : regions.filter((each) => each.country !== country)).map((each) =>
      offer(`${each.region}, ${each.country}`, [each.country, each.region, ''], each),
    ),
  ].slice(0, MAX_OFFERS);
}

/** The offers of each kind: of airports and nights the cheapest. */
export function offersByKind(offers: readonly Offer[]): [Kind, Offer[]][] {
  return [...new Set(offers.map(({ kind }) => kind))].map((kind) => {
    const ofKind = offers.filter((offer) => offer.kind === kind);
    if (kind === 'Other airports') ofKind.sort((one, other) => one.price - other.price);
    return [kind, ofKind.slice(0, MAX_OFFERS)];
  });
}

/** An offer on a day. Names the day if it is not the trip's. */
function offerOn(trip: OtherTrip, day: CalendarDate, price: Pence, date: CalendarDate): Offer {
  const words = [trip.words, day === date && trip.words !== '' ? '' : formatBriefWeekday(day)];
  const flexibility = trip.change.flexibility;
  return {
    ...trip,
    words: words.filter(Boolean).join(', '),
    change: { ...trip.change, ...(flexibility && { flexibility: { ...flexibility, days: 0 } }), date: day },
    price,
  };
}
