import { dayNumber } from '../../../domain/calendar-date.ts';
import { dateTimeToMs, offsetMinutes } from '../../../domain/date-time.ts';
import { type LocalTimes, localTimes, SECOND_TIME } from '../../inventory/local-time.ts';
import { memoize } from '../../lib/memoize.ts';
import type { FlatItem } from '../formats/flat-item.ts';
import type { Problem } from '../formats/raw-row.ts';
import type { FeedAirports } from './feed-airports.ts';
import type { FeedFlight } from './feed-package.ts';

/** A feed has few days, each in many rows. */
const KEPT_DAYS = 20_000;

const MINUTES_A_DAY = 24 * 60;
const MS_A_MINUTE = 60_000;
const MAX_FLIGHT_MINUTES = 48 * 60;

/** How many days late the return may be: one, as after a night flight out. */
const MAX_RETURN_DAYS = 1;

const AIRPORTS = [
  'ArrivalAirportCode_Outbound',
  'DepartureAirportCode_Inbound',
  'ArrivalAirportCode_Inbound',
] as const;

export type ReadFlights = (
  item: FlatItem,
) =>
  | { kind: 'flights'; outbound: FeedFlight; inbound: FeedFlight }
  | { kind: 'refused'; problems: Problem[] };

/**
 * Reads both flights of a package. A time without an offset is local to its airport. A duration that
 * is not stated is computed from the times. What else the feed omits stays unknown.
 */
export function flightReader(airports: FeedAirports): ReadFlights {
  const times = localTimes();
  const dayOf = memoize(KEPT_DAYS, dayNumber);
  return (item) => {
    const problems: Problem[] = [];
    const from = item.DepartureAirportCode_Outbound;
    if (!airports.isDeparture(from)) {
      refuse('DepartureAirportCode_Outbound', from, 'is not on the list of departure airports');
    }
    for (const field of AIRPORTS) {
      const code = item[field];
      if (code !== undefined && airports.find(code) === undefined) {
        refuse(field, code, 'is an unknown airport: add it to airports in providers.json');
      }
      if (code === from && field !== 'ArrivalAirportCode_Inbound') {
        refuse(field, code, 'is the airport of the outbound departure');
      }
    }
    if (problems.length > 0) return { kind: 'refused', problems };

    const to = item.ArrivalAirportCode_Outbound ?? item.DepartureAirportCode_Inbound ?? null;
    const back = item.DepartureAirportCode_Inbound ?? to;
    const home = item.ArrivalAirportCode_Inbound ?? from;
    const leaves = dayOf(item.DepartureDate);
    const outbound = flightOf('Outbound', leaves, from, to, 0);
    const inbound = flightOf('Inbound', leaves + item.Duration, back, home, MAX_RETURN_DAYS);
    return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'flights', outbound, inbound };

    function flightOf(
      way: 'Outbound' | 'Inbound',
      day: number,
      origin: string | null,
      destination: string | null,
      daysLater: number,
    ): FeedFlight {
      const flight = {
        number: item[`FlightNumber_${way}`] ?? '',
        airline: item[`AirlineName_${way}`] ?? '',
        origin,
        destination,
      };
      const departs = item[`DepartureDateTime_${way}`];
      const arrives = item[`ArrivalDateTime_${way}`];
      const departed = departs === undefined ? undefined : clockAt(times, airports, departs, origin);
      const landed = arrives === undefined ? undefined : clockAt(times, airports, arrives, destination);
      const stated = item[`FlightDuration_${way}`] ?? null;
      const minutes = minutesBetween(departed, landed);
      const isFlight = minutes === null || isFlightLong(minutes);
      if (!isFlight) refuse(`ArrivalDateTime_${way}`, arrives, 'is not within two days after the departure');
      const durationSeconds = stated ?? (minutes === null ? null : minutes * 60);
      if (departed === undefined) return { ...flight, departureMinute: null, durationSeconds };
      const minute = departed.local - day * MINUTES_A_DAY;
      if (minute < 0 || minute >= (1 + daysLater) * MINUTES_A_DAY) {
        refuse(
          `DepartureDateTime_${way}`,
          departs,
          way === 'Outbound' ? 'is not on DepartureDate' : 'does not fit DepartureDate and Duration',
        );
      }
      const departureMinute = departed.isSecond ? minute + SECOND_TIME : minute;
      return { ...flight, departureMinute, durationSeconds };
    }

    function refuse(field: string, value: unknown, reason: string): void {
      problems.push({ field, value, reason });
    }
  };
}

interface ReadTime {
  /** The airport's local time. `isSecond`: the time occurs twice because clocks go back, and this is the second. */
  local: number;
  isSecond: boolean;
  /** In UTC. Null: the time has no offset, and the feed does not name the airport. */
  instant: number | null;
}

function minutesBetween(departed: ReadTime | undefined, landed: ReadTime | undefined): number | null {
  const [from, to] = [departed?.instant ?? null, landed?.instant ?? null];
  return from === null || to === null ? null : to - from;
}

function isFlightLong(minutes: number): boolean {
  return minutes > 0 && minutes <= MAX_FLIGHT_MINUTES;
}

/** When clocks go back, an ambiguous time without an offset is read as the earlier one. */
function clockAt(times: LocalTimes, airports: FeedAirports, written: string, code: string | null): ReadTime {
  const instant = Math.floor((dateTimeToMs(written) ?? 0) / MS_A_MINUTE);
  const offset = offsetMinutes(written);
  const timezone = code === null ? undefined : airports.find(code)?.timezone;
  if (timezone === undefined)
    return { local: instant + (offset ?? 0), isSecond: false, instant: offset === null ? null : instant };
  if (offset !== null) return { ...times.toLocal(timezone, instant), instant };
  const day = Math.floor(instant / MINUTES_A_DAY);
  const utc = times.toInstant(timezone, day, instant - day * MINUTES_A_DAY);
  return { local: instant, isSecond: false, instant: utc };
}
