import * as v from 'valibot';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { graphqlRequest } from '../../domain/graphql-request.ts';
import { RequestError, request } from '../data/request.ts';

/** The search service of `/config.json`. */
export interface SearchService {
  searchEndpoint: string;
  searchApiKey: string;
}

export interface ServiceQuery {
  query: string;
  variables: object;
  signal: AbortSignal;
  timeoutMs: number;
}

/** A departure day and its lowest total price, in pounds, as the service sends them. */
export const DayPrice = v.object({
  DepartureDate: v.pipe(
    v.string(),
    v.check((text) => parseCalendarDate(text) !== null),
  ),
  TotalPrice: v.pipe(v.number(), v.finite(), v.minValue(0)),
});

/** The part of a query's key that names the service. */
export function serviceKey({ searchEndpoint, searchApiKey }: SearchService): readonly string[] {
  return [searchEndpoint, searchApiKey];
}

/** Posts a GraphQL query. Throws a RequestError if the service cannot be reached in time. */
export function postQuery(
  { searchEndpoint, searchApiKey }: SearchService,
  { query, variables, ...limits }: ServiceQuery,
): Promise<Response> {
  return request(searchEndpoint, graphqlRequest(searchApiKey, query, variables), limits);
}

/** The data that the service returns for a query. Rejects if the request fails or the data do not match. */
export async function fetchData<Data>(
  service: SearchService,
  query: ServiceQuery,
  schema: v.GenericSchema<unknown, Data>,
): Promise<Data> {
  const response = await postQuery(service, query);
  const { ok, status } = response;
  if (!ok) throw new RequestError(`${service.searchEndpoint} answered ${status}`, status);
  return v.parse(v.object({ data: schema }), await response.json()).data;
}
