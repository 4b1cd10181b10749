import { expect, it } from 'vitest';
import { costRefusal } from '../query/search-cost.ts';
import { compiledQueries } from './compiled-queries.ts';
import type { CostOfVariables } from './request-cost.ts';
import { type SchemaContext, schema } from './schema.ts';

const never = () => Promise.reject(new Error('Not asked'));
const CONTEXT: SchemaContext = { fields: new Map(), resolve: never };

const compiled = compiledQueries(schema, { introspection: false, collapse: 'hotel' });

const filtersTo = (endDate: string) =>
  `{ brand: "SKY", startDate: "2026-11-26", endDate: "${endDate}", departureAirports: ["LGW"], duration: 7 }`;
const GIVEN = { brand: 'SKY', startDate: '2026-11-26', departureAirports: ['LGW'], duration: 7 };

function queryOf(text: string) {
  const found = compiled.compile(text, null);
  if (found.kind !== 'query') throw new Error(found.errors.join('; '));
  return found;
}

function unitsIn(cost: ReturnType<CostOfVariables>): number {
  if (!('units' in cost)) throw new Error(`Invalid: ${cost.join('; ')}`);
  return cost.units;
}

const withDefault = (endDate: string, type = 'PackageSearchFilters!') =>
  queryOf(
    `query ($f: ${type} = ${filtersTo(endDate)}) { a: explore(filters: $f) { TotalPrice } b: explore(filters: $f) { TotalPrice } }`,
  );

it.each(['PackageSearchFilters!', 'PackageSearchFilters'])(
  'uses the default of a variable of %s',
  async (type) => {
    const asked: unknown[] = [];
    const { run, complete } = withDefault('2026-12-02', type);
    const resolve: SchemaContext['resolve'] = async ({ parsed }) => {
      if (parsed.kind === 'request') asked.push(parsed.request);
      return [];
    };
    const answer = await run({ ...CONTEXT, resolve }, complete({}));
    expect(answer).toEqual({ data: { a: [], b: [] } });
    expect(asked).toMatchObject([{ filters: { ...GIVEN, endDate: '2026-12-02' } }, { filters: GIVEN }]);
  },
);

it('prefers given values, and refuses null', async () => {
  const { run, complete } = withDefault('2026-12-02');
  const given = { f: { ...GIVEN, endDate: '2027-01-02' } };
  expect(complete(given)).toEqual(given);
  const answer = await run(CONTEXT, complete({ f: null }));
  expect(answer).toMatchObject({ errors: [{ message: expect.stringContaining('must not be null') }] });
});

it.each(['2026-12-02', '2028-11-10'])('costs what the same values cost as variables, to %s', (endDate) => {
  const { costOf, complete } = withDefault(endDate);
  const variables = { f: { ...GIVEN, endDate } };
  const units = unitsIn(costOf(complete({})));
  expect(units).toBe(unitsIn(costOf(complete(variables))));
  expect(units).toBeGreaterThan(0);
});

it('refuses a query whose defaults make it too expensive', () => {
  const airports = JSON.stringify(Array.from({ length: 31 }, (_, nth) => `A${nth}`));
  const filters = `{ brand: "SKY", startDate: "2027-05-03", endDate: "2028-12-23", departureAirports: ${airports} }`;
  const wide = queryOf(
    `query ($f: PackageSearchFilters! = ${filters}) { a: searchPackages(filters: $f) { count } b: searchPackages(filters: $f) { count } }`,
  );
  expect(costRefusal(unitsIn(wide.costOf(wide.complete({}))))).toMatch(/the limit is/);
});
