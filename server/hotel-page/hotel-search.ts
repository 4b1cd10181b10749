import { type Airport, expandAirport, findAirportSelection } from '../../domain/airport.ts';
import { addDays, type CalendarDate, dayNumber, parseCalendarDate } from '../../domain/calendar-date.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { linkParameters } from '../../domain/link-parameters.ts';
import { DEFAULT_PARTY, MAX_OF_A_KIND, type Party } from '../../domain/party.ts';

/** Days of the grid before and after the search's date. */
const DAYS_EITHER_SIDE = 3;

export const DAYS_OF_GRID = 2 * DAYS_EITHER_SIDE + 1;

/** The longest stay in a link: a search accepts no longer one. */
const MAX_NIGHTS = 99;

/** What a hotel's page is asked for: a search's parameters (docs/contracts/results-address.md) and a package. */
export interface HotelSearch {
  /** A departure airport or region; null: any. */
  airport: Airport | null;
  airportCodes: string[];
  date: CalendarDate;
  /** The first day of the grid, tomorrow at the earliest. */
  firstDay: CalendarDate;
  nights: readonly [least: number, most: number];
  party: Party;
  /** The ItemKey of the package to show; '' for the cheapest. */
  itemKey: string;
  /** The search's own parameters, which links of the page keep. */
  parameters: URLSearchParams;
}

/** Reads a link, with defaults for what is missing or invalid. `today` is in London. */
export function readHotelSearch(
  query: string,
  airports: readonly Airport[],
  today: CalendarDate,
): HotelSearch {
  const parameters = new URLSearchParams(linkParameters(new URLSearchParams(query)));
  const textOf = (name: string) => parameters.get(name)?.trim() ?? '';
  const count = (name: keyof Party) => {
    const text = textOf(name);
    return /^\d{1,2}$/.test(text) && Number(text) <= MAX_OF_A_KIND ? Number(text) : DEFAULT_PARTY[name];
  };
  const tomorrow = addDays(today, 1);
  const asked = parseCalendarDate(textOf('date'));
  const date = asked === null || asked < tomorrow ? tomorrow : asked;
  const early = addDays(date, -DAYS_EITHER_SIDE);
  const firstDay = [early, tomorrow].toSorted().at(-1) ?? tomorrow;
  const airport = findAirportSelection(airports, textOf('from')) ?? null;
  const itemKey = textOf('holiday');
  parameters.delete('holiday');
  return {
    airport,
    airportCodes:
      airport === null
        ? [...new Set(airports.filter(({ isRegion }) => !isRegion).map(({ code }) => code))]
        : expandAirport(airport),
    date,
    firstDay,
    nights: readNights(textOf('nights')),
    party: {
      adults: count('adults') || DEFAULT_PARTY.adults,
      children: count('children'),
      infants: count('infants'),
    },
    itemKey,
    parameters,
  };
}

/** '7', or '7-10' for a range. */
function readNights(text: string): HotelSearch['nights'] {
  const [, least, most] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(text) ?? [];
  const [from, to] = [Number(least), Number(most ?? least)];
  return from >= 1 && to >= from && to <= MAX_NIGHTS ? [from, to] : [DEFAULT_DURATION, DEFAULT_DURATION];
}

/** The days of the grid, as numbers since 1970. */
export function daysOf({ firstDay }: HotelSearch): number[] {
  return Array.from({ length: DAYS_OF_GRID }, (_, nth) => dayNumber(firstDay) + nth);
}
