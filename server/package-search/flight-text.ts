import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { FlightRecord } from '../inventory/inventory.ts';
import { localTimes } from '../inventory/local-time.ts';
import { memoizeBytes } from '../lib/memoize.ts';

/** Combines a flight's id and a day in one number: ids stay far below 2^31, days below 2^20. */
const DAY_SPAN = 2 ** 20;

/** Cache bytes for each direction. A flight on a day takes some 700. */
const CACHED_BYTES = 12 * 2 ** 20;

/** An item's flight fields as JSON text without braces: flight numbers, airports, and Flight. */
export type FlightText = (day: number, nights: number, outbound: number, inbound: number) => string;

interface LegText {
  inFlight: string;
  outside: string;
}

/** Caches the texts of each flight and day. The inbound flight's day is the departure day plus the nights. */
export function flightTexts(catalogue: Catalogue): FlightText {
  const times = localTimes();
  const leg = (suffix: 'Outbound' | 'Inbound') =>
    memoizeBytes(
      CACHED_BYTES,
      (id) => {
        const flight = recordOf(catalogue.flights, Math.floor(id / DAY_SPAN));
        return legText(flight, id % DAY_SPAN, suffix);
      },
      ({ inFlight, outside }: LegText) => inFlight.length + outside.length,
    );

  const airportOf = (id: number | null) => (id === null ? null : recordOf(catalogue.airports, id));

  function legText(flight: FlightRecord, day: number, suffix: string): LegText {
    const { departureMinute, durationSeconds } = flight;
    const origin = airportOf(flight.origin);
    const destination = airportOf(flight.destination);
    const leaves =
      origin === null || departureMinute === null
        ? null
        : times.toInstant(origin.timezone, day, departureMinute);
    const lands =
      leaves === null || durationSeconds === null ? null : leaves + Math.round(durationSeconds / 60);
    const written = (airport: typeof origin, instant: number | null) =>
      airport === null || instant === null ? null : times.format(airport.timezone, instant);
    const inFlight = JSON.stringify({
      [`DepartureDateTime_${suffix}`]: written(origin, leaves),
      [`ArrivalDateTime_${suffix}`]: written(destination, lands),
      [`ArrivalAirportCode_${suffix}`]: destination?.code ?? '',
      [`AirlineName_${suffix}`]: flight.airline,
      [`FlightDuration_${suffix}`]: durationSeconds,
    });
    const outside = JSON.stringify({
      [`FlightNumber_${suffix}`]: flight.number,
      [`DepartureAirportCode_${suffix}`]: origin?.code ?? '',
    });
    // `inFlight` becomes part of a JSON string inside JSON, so it is escaped once more.
    return { inFlight: JSON.stringify(inFlight.slice(1, -1)).slice(1, -1), outside: outside.slice(1, -1) };
  }

  const outboundLeg = leg('Outbound');
  const inboundLeg = leg('Inbound');
  return (day, nights, outbound, inbound) => {
    const out = outboundLeg(outbound * DAY_SPAN + day);
    const back = inboundLeg(inbound * DAY_SPAN + day + nights);
    return `"Flight":"{${out.inFlight},${back.inFlight}}",${out.outside},${back.outside}`;
  };
}
