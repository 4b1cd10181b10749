import * as v from 'valibot';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { graphqlRequest } from '../../domain/graphql-request.ts';

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

/** Posts a GraphQL query. Rejects if the service cannot be reached in time. */
export function postQuery(
  { searchEndpoint, searchApiKey }: SearchService,
  { query, variables, signal, timeoutMs }: ServiceQuery,
): Promise<Response> {
  return fetch(searchEndpoint, {
    ...graphqlRequest(searchApiKey, query, variables),
    signal: withTimeout(signal, timeoutMs),
  });
}

/** The data that the service returns for a query. Rejects if the request fails or the data do not match. */
export async function fetchData<Data>(
  service: SearchService,
  query: ServiceQuery,
  schema: v.GenericSchema<unknown, Data>,
): Promise<Data> {
  const response = await postQuery(service, query);
  if (!response.ok) throw new Error(`${service.searchEndpoint} answered ${response.status}`);
  return v.parse(v.object({ data: schema }), await response.json()).data;
}

/** A signal that aborts with `signal` or after a time. `AbortSignal.any` is newer than the oldest browsers we support. */
function withTimeout(signal: AbortSignal, timeoutMs: number): AbortSignal {
  const abort = new AbortController();
  for (const source of [signal, AbortSignal.timeout(timeoutMs)]) {
    if (source.aborted) abort.abort(source.reason);
    source.addEventListener('abort', () => abort.abort(source.reason), { once: true });
  }
  return abort.signal;
}
