import * as v from 'valibot';
import { dayNumber, parseCalendarDate } from '../../domain/calendar-date.ts';
import { MAX_OF_A_KIND } from '../../domain/party.ts';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';
import { refinementsSchema, text } from './refinements.ts';

/** The longest window of a search. */
const MAX_DAYS = 600;

const MAX_AIRPORTS = 200;

const MAX_PLACES = 5;

const date = v.pipe(
  v.string(),
  v.check((text) => parseCalendarDate(text) !== null, 'must be a valid date (YYYY-MM-DD)'),
);

export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
};

const nights = v.nullish(wholeNumber(1, 99), null);

const place = { country: v.nullish(text, ''), region: v.nullish(text, ''), resort: v.nullish(text, '') };

/** The filters of a search (Section 7), with defaults. */
export const filtersSchema = v.pipe(
  v.strictObject({
    brand: text,
    startDate: date,
    endDate: date,
    departureAirports: v.pipe(
      v.array(text),
      v.maxLength(MAX_AIRPORTS, `must have at most ${MAX_AIRPORTS} airport codes`),
    ),
    // The defaults are Section 9's.
    numberOfAdults: v.nullish(wholeNumber(1, MAX_OF_A_KIND), 2),
    numberOfChildren: v.nullish(wholeNumber(0, MAX_OF_A_KIND), 0),
    numberOfInfants: v.nullish(wholeNumber(0, MAX_OF_A_KIND), 0),
    duration: nights,
    ...place,
    boardBasis: v.nullish(text, ''),
    starRating: v.nullish(wholeNumber(0, 7), null),
    // Skylark's own filters, which the specification does not have.
    maxDuration: nights,
    lastDeparture: v.nullish(date, null),
    places: v.nullish(
      v.pipe(
        v.array(v.strictObject(place)),
        v.maxLength(MAX_PLACES, `must have at most ${MAX_PLACES} places`),
      ),
      [],
    ),
  }),
  v.forward(
    v.check(
      ({ startDate, endDate }) => startDate <= endDate,
      'must not be before startDate: it is the last day on which a trip may end',
    ),
    ['endDate'],
  ),
  v.forward(
    v.check(
      ({ startDate, endDate }) => dayNumber(endDate) - dayNumber(startDate) <= MAX_DAYS,
      `must be at most ${MAX_DAYS} days after startDate`,
    ),
    ['endDate'],
  ),
  v.forward(
    v.check(
      ({ duration, maxDuration }) => (duration ?? 1) <= (maxDuration ?? 99),
      'must not be below duration',
    ),
    ['maxDuration'],
  ),
);

/** The most packages in one response. */
export const limitSchema = v.nullish(wholeNumber(1, 100), 10);

/** The arguments of `searchPackages` (Section 7), with defaults. */
export const searchArguments = v.strictObject({
  filters: filtersSchema,
  refine: v.nullish(refinementsSchema, null),
  sortBy: v.nullish(
    v.picklist([...SORT_OPTIONS.map(({ packageSort }) => packageSort), 'GUEST_RATING_DESC']),
    'PRICE_ASC',
  ),
  limit: limitSchema,
  nextToken: v.nullish(v.pipe(v.string(), v.maxLength(2_000, 'was not issued by this service')), null),
});

export type SearchRequest = v.InferOutput<typeof searchArguments>;

/** A mistake in the arguments of a field of the schema. */
export interface BadInput {
  kind: 'bad-input';
  field: string;
  message: string;
}

/** The refusal of a request that would read too many blocks. */
export const TOO_WIDE: BadInput = {
  kind: 'bad-input',
  field: 'filters',
  message:
    'filters match too much of the inventory for one response. Name a country, region or resort, fewer departure airports, a duration, or a shorter window.',
};

/** The refusal of a search that must read offers of more than `MAX_DAYS_OF_REFINED` days. */
export const TOO_MANY_DAYS: BadInput = {
  kind: 'bad-input',
  field: 'filters.endDate',
  message:
    'filters.endDate allows more than 7 departure days, and refine, facets and GUEST_RATING_DESC cover at most 7. Name a duration or lastDeparture, or bring endDate closer to startDate.',
};

/** Parses the arguments of a field. Reports the first mistake. */
export function parseArguments<const Schema extends v.GenericSchema>(
  schema: Schema,
  variables: unknown,
): { kind: 'request'; request: v.InferOutput<Schema> } | BadInput {
  const parsed = v.safeParse(schema, variables, { abortEarly: true });
  if (parsed.success) return { kind: 'request', request: parsed.output };
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? 'variables';
  return { kind: 'bad-input', field, message: `${field} ${issue.message}.` };
}
