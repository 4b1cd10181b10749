import * as v from 'valibot';
import { type Airport, expandAirport } from '../../domain/airport.ts';
import { addDays, parseCalendarDate } from '../../domain/calendar-date.ts';
import { DURATIONS, type Duration } from '../../domain/duration.ts';
import { poundsToPence } from '../../domain/money.ts';
import type { Party } from '../../domain/party.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { withTimeout } from '../search/with-timeout.ts';
import type { DepartureSpan } from './departure-span.ts';
import { type FoundRegion, mergeRegions, type PlacePrices } from './place-prices.ts';

export interface ExploreQuestion {
  airport: Airport;
  span: DepartureSpan;
  /** Null: any that the search form offers. */
  nights: Duration | null;
  party: Party;
}

/** The service of `/config.json`. */
export interface ExploreService {
  searchEndpoint: string;
  searchApiKey: string;
  brandCode: string;
}

/** All regions with a package, the cheapest first; or the server will not compare that much at once. */
export type ExploreAnswer = { kind: 'regions'; regions: PlacePrices[] } | { kind: 'too wide' };

/** Months of every place are read. */
const TIMEOUT_MS = 30_000;

/** A server that is too busy at the moment is asked again after a pause. */
const BUSY = 503;
const MOST_PAUSES = 2;
const PAUSE_MS = 1_500;

const QUERY = `query explore($filters: PackageSearchFilters!) {
  explore(filters: $filters, level: REGION) {
    HolidayCountry
    HolidayRegion
    Latitude
    Longitude
    Months {
      DepartureDate
      TotalPrice
    }
  }
}`;

const price = v.pipe(v.number(), v.finite(), v.minValue(0));
const day = v.pipe(
  v.string(),
  v.check((text) => parseCalendarDate(text) !== null),
);
const degrees = (most: number) =>
  v.fallback(v.nullish(v.pipe(v.number(), v.minValue(-most), v.maxValue(most)), null), null);

const Region = v.object({
  HolidayCountry: v.string(),
  HolidayRegion: v.string(),
  Latitude: degrees(90),
  Longitude: degrees(180),
  Months: v.array(v.object({ DepartureDate: day, TotalPrice: price })),
});

const Answer = v.object({
  errors: v.nullish(
    v.array(v.object({ extensions: v.optional(v.object({ code: v.optional(v.string()) })) })),
    [],
  ),
  data: v.nullish(v.object({ explore: v.array(Region) })),
});

/**
 * Fetches the lowest prices of every region and month. Rejects if a request fails. Each number of nights is a request of
 * its own, because the form cannot search for others, and one after the other, because a busy server refuses whatever
 * would wait long behind the rest of its request.
 */
export async function fetchExplore(
  service: ExploreService,
  question: ExploreQuestion,
  signal: AbortSignal,
  send: typeof fetch = fetch,
): Promise<ExploreAnswer> {
  const answers: FoundRegion[][] = [];
  for (const nights of question.nights === null ? DURATIONS : [question.nights]) {
    const found = await fetchStay(service, question, nights, signal, send);
    if (found === 'too wide') return { kind: 'too wide' };
    answers.push(found);
  }
  return { kind: 'regions', regions: mergeRegions(answers) };
}

async function fetchStay(
  { searchEndpoint, searchApiKey, brandCode }: ExploreService,
  question: ExploreQuestion,
  nights: Duration,
  signal: AbortSignal,
  send: typeof fetch,
): Promise<FoundRegion[] | 'too wide'> {
  const variables = { filters: filtersOf(question, nights, brandCode) };
  const ask = () =>
    send(searchEndpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
      body: JSON.stringify({ query: QUERY, variables }),
      signal: withTimeout(signal, TIMEOUT_MS),
    });
  let response = await ask();
  for (let pause = 1; response.status === BUSY && pause <= MOST_PAUSES; pause += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    response = await ask();
  }
  // The gate refuses with 400 what would cost too much.
  if (response.status === 400) return 'too wide';
  if (!response.ok) throw new Error(`${searchEndpoint} answered ${response.status}`);
  const { errors, data } = v.parse(Answer, await response.json());
  if (errors.some(({ extensions }) => extensions?.code === 'BAD_USER_INPUT')) return 'too wide';
  if (errors.length > 0 || !data) throw new Error('GraphQL query failed', { cause: errors });
  return data.explore.map((found) => regionOf(found, nights));
}

function filtersOf(
  { airport, span, party }: ExploreQuestion,
  nights: Duration,
  brand: string,
): PackageSearchFilters {
  return {
    brand,
    startDate: span.first,
    // The window bounds the whole trip (ruling 7).
    endDate: addDays(span.last, nights),
    departureAirports: expandAirport(airport),
    numberOfAdults: party.adults,
    numberOfChildren: party.children,
    numberOfInfants: party.infants,
    duration: nights,
  };
}

function regionOf(found: v.InferOutput<typeof Region>, nights: number): FoundRegion {
  const { HolidayCountry, HolidayRegion, Latitude, Longitude, Months } = found;
  return {
    country: HolidayCountry,
    region: HolidayRegion,
    position: Latitude === null || Longitude === null ? null : { latitude: Latitude, longitude: Longitude },
    months: Months.map(({ DepartureDate, TotalPrice }) => ({
      date: DepartureDate,
      nights,
      total: poundsToPence(TotalPrice),
    })),
  };
}
