import { type Catalogue, recordOf } from '../../inventory/catalogue.ts';
import { localTimes } from '../../inventory/local-time.ts';
import { fields } from '../../inventory/offer-charges.ts';
import { memoizeBytes } from '../../lib/memoize.ts';

/** Cache bytes for each direction. A flight takes some 1,000. */
const CACHED_BYTES = 4 * 2 ** 20;

/** An item's flight fields as JSON text without braces: flight numbers, airports, and Flight. */
export type FlightText = (day: number, nights: number, outbound: number, inbound: number) => string;

interface Leg {
  /** The texts of the departure and arrival, which are JSON inside a JSON string. */
  timesOn(day: number): string;
  /** The rest of Flight, escaped in the same way. */
  inFlight: string;
  outside: string;
}

/** Caches each flight's texts without its times: a flight has other times on each day. */
export function flightTexts(catalogue: Catalogue): FlightText {
  const times = localTimes();
  const leg = (suffix: 'Outbound' | 'Inbound') =>
    memoizeBytes(
      CACHED_BYTES,
      (id) => legOf(id, suffix),
      ({ inFlight, outside }: Leg) => inFlight.length + outside.length,
    );

  const airportOf = (id: number | null) => (id === null ? null : recordOf(catalogue.airports, id));

  function legOf(id: number, suffix: string): Leg {
    const flight = recordOf(catalogue.flights, id);
    const { departureMinute, durationSeconds } = flight;
    const origin = airportOf(flight.origin);
    const destination = airportOf(flight.destination);
    const minutes = durationSeconds === null ? null : Math.round(durationSeconds / 60);
    const written = (airport: typeof origin, instant: number | null) =>
      airport === null || instant === null ? 'null' : `\\"${times.format(airport.timezone, instant)}\\"`;
    const inFlight = fields({
      [`ArrivalAirportCode_${suffix}`]: destination?.code ?? '',
      [`AirlineName_${suffix}`]: flight.airline,
      [`FlightDuration_${suffix}`]: durationSeconds,
    });
    return {
      timesOn(day) {
        const leaves =
          origin === null || departureMinute === null
            ? null
            : times.toInstant(origin.timezone, day, departureMinute);
        const lands = leaves === null || minutes === null ? null : leaves + minutes;
        return `\\"DepartureDateTime_${suffix}\\":${written(origin, leaves)},\\"ArrivalDateTime_${suffix}\\":${written(destination, lands)}`;
      },
      inFlight: JSON.stringify(inFlight).slice(1, -1),
      outside: fields({
        [`FlightNumber_${suffix}`]: flight.number,
        [`DepartureAirportCode_${suffix}`]: origin?.code ?? '',
      }),
    };
  }

  const outboundLeg = leg('Outbound');
  const inboundLeg = leg('Inbound');
  return (day, nights, outbound, inbound) => {
    const out = outboundLeg(outbound);
    const back = inboundLeg(inbound);
    return `"Flight":"{${out.timesOn(day)},${out.inFlight},${back.timesOn(day + nights)},${back.inFlight}}",${out.outside},${back.outside}`;
  };
}
