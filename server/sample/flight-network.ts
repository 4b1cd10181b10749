import { distanceKm } from '../inventory/great-circle.ts';
import type { FlightRecord } from '../inventory/inventory.ts';
import type { SampleAirport, SampleResort, SampleRoute } from '../inventory/reference-files.ts';
import { seededRandom } from './seeded-random.ts';

/** A UK airport that serves a resort, with its return flights. */
export interface ServedFrom {
  /** The airport's ID. */
  origin: number;
  destination: number;
  monthlySeats: number;
  /** Whether it is one of the resort's main airports, which sell more hotels. */
  isMain: boolean;
  rotations: readonly { outbound: FlightRecord; inbound: FlightRecord }[];
}

export interface FlightNetwork {
  flights: FlightRecord[];
  /** The departure airports of a resort, in order of ID. */
  servedFrom(resort: SampleResort): ServedFrom[];
}

const AIRPORTS_PER_RESORT = 7;
const LONDON_AIRPORTS_PER_RESORT = 3;
/** How many of a resort's airports are main ones. Birmingham always is, if it serves the resort. */
const MAIN_AIRPORTS = 2;
const BIRMINGHAM = 'BHX';
const LONDON = new Set(['LHR', 'LGW', 'STN', 'LTN', 'LCY', 'SEN']);
const AIRLINES_PER_ROUTE = 2;

/** A flight takes its cruise time plus a constant for taxi, climb and approach. */
const CRUISE_KM_PER_MINUTE = 13;
const GROUND_MINUTES = 35;
/** Departure slots, in minutes after midnight. */
const FIRST_SLOT = 6 * 60;
const SLOT_MINUTES = 25;
const SLOT_COUNT = 30;
const TURNAROUND_MINUTES = 65;

/** The sample's flights: real routes and airlines at generated times. */
export function flightNetwork(
  routes: readonly SampleRoute[],
  airports: readonly SampleAirport[],
  airportId: (iata: string) => number,
): FlightNetwork {
  const byCode = new Map(airports.map((airport) => [airport.iata, airport]));
  const flights: FlightRecord[] = [];
  const served = new Map<string, Omit<ServedFrom, 'isMain'>>();
  for (const [pair, alternatives] of Map.groupBy(
    routes,
    ({ origin, destination }) => `${origin}-${destination}`,
  )) {
    const busiest = [...alternatives].sort((one, other) => other.monthlySeats - one.monthlySeats);
    const [first] = busiest;
    const from = byCode.get(first?.origin ?? '');
    const to = byCode.get(first?.destination ?? '');
    if (!from || !to) continue;
    const rotations = busiest.slice(0, AIRLINES_PER_ROUTE).map((route) => {
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
        const services = resort.airports.flatMap(
          (destination) => served.get(`${origin}-${destination}`) ?? [],
        );
        const best = services.sort((one, other) => other.monthlySeats - one.monthlySeats)[0];
        return best ? [{ origin, best }] : [];
      });
      return busiestRoutes(reached).sort((one, other) => one.origin - other.origin);
    },
  };
}

/** The busiest routes, with a limit on London airports so that other regions have flights too. */
function busiestRoutes(
  reached: readonly { origin: string; best: Omit<ServedFrom, 'isMain'> }[],
): ServedFrom[] {
  const busiest = [...reached].sort((one, other) => other.best.monthlySeats - one.best.monthlySeats);
  const main = new Set([BIRMINGHAM, ...busiest.slice(0, MAIN_AIRPORTS).map(({ origin }) => origin)]);
  const inOrder = [
    ...busiest.filter(({ origin }) => LONDON.has(origin)).slice(0, LONDON_AIRPORTS_PER_RESORT),
    ...busiest.filter(({ origin }) => origin === BIRMINGHAM),
    ...busiest.filter(({ origin }) => !LONDON.has(origin) && origin !== BIRMINGHAM),
  ];
  return inOrder
    .slice(0, AIRPORTS_PER_RESORT)
    .map(({ origin, best }) => ({ ...best, isMain: main.has(origin) }));
}

function timetable(
  route: SampleRoute,
  from: SampleAirport,
  to: SampleAirport,
  id: number,
  airportId: (iata: string) => number,
): { outbound: FlightRecord; inbound: FlightRecord } {
  const minutes = GROUND_MINUTES + distanceKm(from, to) / CRUISE_KM_PER_MINUTE;
  const block = Math.round(minutes / 5) * 5;
  const departure =
    FIRST_SLOT +
    SLOT_MINUTES * Math.floor(SLOT_COUNT * seededRandom(id, airportId(from.iata), airportId(to.iata)));
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
      departureMinute: (Math.round((departure + block + TURNAROUND_MINUTES) / 5) * 5) % (24 * 60),
    },
  };
}
