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

/** The most fields of a request (docs/contracts/graphql.md). */
const MAX_FIELDS = 10;

/** One field of the service, to be asked for with several arguments. */
export interface ServiceField<Data> {
  name: string;
  /** The GraphQL types of the arguments, and further arguments as they stand in the query. */
  types: Record<string, string>;
  further?: string;
  selection: string;
  schema: v.GenericSchema<unknown, Data>;
}

/**
 * The field's data for each of the arguments, in as few requests as the service allows, one at a time: a busy server
 * rejects requests that would queue for long. Rejects if one of them fails.
 */
export async function fetchEach<Data>(
  service: SearchService,
  field: ServiceField<Data>,
  each: readonly object[],
  limits: { signal: AbortSignal; timeoutMs: number },
): Promise<Data[]> {
  const found: Data[] = [];
  while (found.length < each.length) {
    const part = each.slice(found.length, found.length + MAX_FIELDS);
    const variables = part.flatMap((values, nth) =>
      Object.entries(values).map(([name, value]) => [`${name}${nth}`, value] as const),
    );
    const query = { query: queryOf(field, part.length), variables: Object.fromEntries(variables), ...limits };
    const data = await fetchData(service, query, v.record(v.string(), field.schema));
    for (const nth of part.keys()) {
      const answer = data[`${field.name}${nth}`];
      if (answer === undefined) throw new Error(`${service.searchEndpoint} responded without ${field.name}`);
      found.push(answer);
    }
  }
  return found;
}

/** A query with the field under one alias for each set of arguments. */
function queryOf({ name, types, further = '', selection }: ServiceField<unknown>, count: number): string {
  const each = Array.from({ length: count }, (_, nth) => nth);
  const names = Object.entries(types);
  const variables = each.flatMap((nth) => names.map(([argument, type]) => `$${argument}${nth}: ${type}`));
  const fields = each.map((nth) => {
    const values = names.map(([argument]) => `${argument}: $${argument}${nth}`).join(', ');
    return `  ${name}${nth}: ${name}(${values}${further}) ${selection}`;
  });
  return `query ${name}(${variables.join(', ')}) {\n${fields.join('\n')}\n}`;
}
