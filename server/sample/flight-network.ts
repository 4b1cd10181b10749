import type { FlightRecord } from '../inventory/inventory.ts';
import type { SampleAirport, SampleResort, SampleRoute } from '../inventory/reference-files.ts';
import { distanceKm } from './great-circle.ts';
import { seeded } from './seeded-random.ts';

/** A UK airport from which a resort is reached, with the flights that go there and back. */
export interface ServedFrom {
  /** Ids of airports. */
  origin: number;
  destination: number;
  monthlySeats: number;
  rotations: readonly { outbound: FlightRecord; inbound: FlightRecord }[];
}

export interface FlightNetwork {
  flights: FlightRecord[];
  /** The airports that a resort is sold from, by airport id. */
  servedFrom(resort: SampleResort): ServedFrom[];
}

const AIRPORTS_A_RESORT = 7;
const OF_WHICH_LONDON = 3;
const LONDON = new Set(['LHR', 'LGW', 'STN', 'LTN', 'LCY', 'SEN']);
const AIRLINES_A_ROUTE = 2;

/** Block times: cruising, with taxi, climb and approach on top. */
const CRUISE_KM_A_MINUTE = 13;
const GROUND_MINUTES = 35;
/** Departure slots of a leisure airport, minutes after midnight. */
const FIRST_SLOT = 6 * 60;
const SLOT = 25;
const SLOTS = 30;
const TURNAROUND = 65;

/** The flights of the sample: the real routes and airlines, at times of our own. */
export function flightNetwork(
  routes: readonly SampleRoute[],
  airports: readonly SampleAirport[],
  airportId: (iata: string) => number,
): FlightNetwork {
  const byCode = new Map(airports.map((airport) => [airport.iata, airport]));
  const flights: FlightRecord[] = [];
  const served = new Map<string, ServedFrom>();
  for (const [pair, alternatives] of Map.groupBy(
    routes,
    ({ origin, destination }) => `${origin}-${destination}`,
  )) {
    const strongest = [...alternatives].sort((one, other) => other.monthlySeats - one.monthlySeats);
    const [first] = strongest;
    const from = byCode.get(first?.origin ?? '');
    const to = byCode.get(first?.destination ?? '');
    if (!from || !to) continue;
    const rotations = strongest.slice(0, AIRLINES_A_ROUTE).map((route) => {
      const rotation = timetable(route, from, to, flights.length + 1, airportId);
      flights.push(rotation.outbound, rotation.inbound);
      return rotation;
    });
    const monthlySeats = alternatives.reduce((seats, route) => seats + route.monthlySeats, 0);
    served.set(pair, {
      origin: airportId(from.iata),
      destination: airportId(to.iata),
      monthlySeats,
      rotations,
    });
  }
  const origins = [...new Set(routes.map(({ origin }) => origin))];
  return {
    flights,
    servedFrom(resort) {
      const reached = origins.flatMap((origin) => {
        const ways = resort.airports.flatMap((destination) => served.get(`${origin}-${destination}`) ?? []);
        const best = ways.sort((one, other) => other.monthlySeats - one.monthlySeats)[0];
        return best ? [{ origin, best }] : [];
      });
      return mostUseful(reached).sort((one, other) => one.origin - other.origin);
    },
  };
}

/** The strongest routes, with London's airports kept from crowding out the rest of the country. */
function mostUseful(reached: readonly { origin: string; best: ServedFrom }[]): ServedFrom[] {
  const strongest = [...reached].sort((one, other) => other.best.monthlySeats - one.best.monthlySeats);
  const london = strongest.filter(({ origin }) => LONDON.has(origin)).slice(0, OF_WHICH_LONDON);
  const elsewhere = strongest.filter(({ origin }) => !LONDON.has(origin));
  return [...london, ...elsewhere].slice(0, AIRPORTS_A_RESORT).map(({ best }) => best);
}

function timetable(
  route: SampleRoute,
  from: SampleAirport,
  to: SampleAirport,
  id: number,
  airportId: (iata: string) => number,
): { outbound: FlightRecord; inbound: FlightRecord } {
  const minutes = GROUND_MINUTES + distanceKm(from, to) / CRUISE_KM_A_MINUTE;
  const block = Math.round(minutes / 5) * 5;
  const departure =
    FIRST_SLOT + SLOT * Math.floor(SLOTS * seeded(id, airportId(from.iata), airportId(to.iata)));
  const number = 100 + id;
  const common = { airline: route.airline, durationSeconds: block * 60 };
  return {
    outbound: {
      ...common,
      id,
      number: `${route.airlineCode}${number}`,
      origin: airportId(from.iata),
      destination: airportId(to.iata),
      departureMinute: departure,
    },
    inbound: {
      ...common,
      id: id + 1,
      number: `${route.airlineCode}${number + 1}`,
      origin: airportId(to.iata),
      destination: airportId(from.iata),
      departureMinute: (Math.round((departure + block + TURNAROUND) / 5) * 5) % (24 * 60),
    },
  };
}
