import * as v from 'valibot';
import { type Airport, expandAirport } from '../../domain/airport.ts';
import { addDays, type CalendarDate } from '../../domain/calendar-date.ts';
import { DURATIONS, type Duration } from '../../domain/duration.ts';
import { poundsToPence } from '../../domain/money.ts';
import type { Party } from '../../domain/party.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { type FoundRegion, mergeRegions, type PlacePrices } from './place-prices.ts';
import { DayPrice, postQuery, type SearchService } from './search-service.ts';

/** The first and last day of departure. */
export interface DepartureSpan {
  first: CalendarDate;
  last: CalendarDate;
}

export interface ExploreRequest {
  airport: Airport;
  span: DepartureSpan;
  /** Null: every number that the form offers. */
  nights: Duration | null;
  party: Party;
}

export interface ExploreService extends SearchService {
  brandCode: string;
}

/** All regions with a package, cheapest first; or the request costs more than the server allows. */
export type ExploreOutcome = { kind: 'regions'; regions: PlacePrices[] } | { kind: 'too wide' };

/** Long, because the server reads months of prices for every place. */
const TIMEOUT_MS = 30_000;

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

const degrees = (max: number) =>
  v.fallback(v.nullish(v.pipe(v.number(), v.minValue(-max), v.maxValue(max)), null), null);

const Region = v.object({
  HolidayCountry: v.string(),
  HolidayRegion: v.string(),
  Latitude: degrees(90),
  Longitude: degrees(180),
  Months: v.array(DayPrice),
});

const Envelope = v.object({
  errors: v.nullish(
    v.array(v.object({ extensions: v.optional(v.object({ code: v.optional(v.string()) })) })),
    [],
  ),
  data: v.nullish(v.object({ explore: v.array(Region) })),
});

/**
 * Fetches the lowest prices of every region and month. Rejects if a request fails. Sends one request at a time, one for
 * each number of nights that the form offers, because a busy server rejects requests that would queue for long.
 */
export async function fetchExplore(
  service: ExploreService,
  request: ExploreRequest,
  signal: AbortSignal,
): Promise<ExploreOutcome> {
  const regions: FoundRegion[][] = [];
  for (const nights of request.nights === null ? DURATIONS : [request.nights]) {
    const found = await fetchStay(service, request, nights, signal);
    if (found === 'too wide') return { kind: 'too wide' };
    regions.push(found);
  }
  return { kind: 'regions', regions: mergeRegions(regions) };
}

async function fetchStay(
  service: ExploreService,
  request: ExploreRequest,
  nights: Duration,
  signal: AbortSignal,
): Promise<FoundRegion[] | 'too wide'> {
  const variables = { filters: filtersOf(request, nights, service.brandCode) };
  const response = await postQuery(service, { query: QUERY, variables, signal, timeoutMs: TIMEOUT_MS });
  // The server rejects requests that cost too much with 400.
  if (response.status === 400) return 'too wide';
  if (!response.ok) throw new Error(`${service.searchEndpoint} answered ${response.status}`);
  const { errors, data } = v.parse(Envelope, await response.json());
  if (errors.some(({ extensions }) => extensions?.code === 'BAD_USER_INPUT')) return 'too wide';
  if (errors.length > 0 || !data) throw new Error('GraphQL query failed', { cause: errors });
  return data.explore.map((found) => regionOf(found, nights));
}

function filtersOf(
  { airport, span, party }: ExploreRequest,
  nights: Duration,
  brand: string,
): PackageSearchFilters {
  return {
    brand,
    startDate: span.first,
    // The window bounds the whole trip.
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
