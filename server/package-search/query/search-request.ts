import * as v from 'valibot';
import { dayNumber, parseCalendarDate } from '../../../domain/calendar-date.ts';
import { MAX_OF_A_KIND } from '../../../domain/party.ts';
import { SORT_OPTIONS } from '../../../domain/sort-by.ts';
import { refinementsSchema, text } from './refinements.ts';

/** The longest window of a search. */
const MAX_DAYS = 600;

const MAX_AIRPORTS = 200;

const MAX_PLACES = 5;

const date = v.pipe(
  v.string(),
  v.check((text) => parseCalendarDate(text) !== null, 'must be a valid date (YYYY-MM-DD)'),
);

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
};

const nights = v.nullish(wholeNumber(1, 99), null);

const place = { country: v.nullish(text, ''), region: v.nullish(text, ''), resort: v.nullish(text, '') };

/** The filters of a search (Section 7), with defaults. */
const filtersSchema = v.pipe(
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
const limitSchema = v.nullish(wholeNumber(1, 100), 10);

/** The arguments of `searchPackages` (Section 7), with defaults. */
const searchArguments = v.strictObject({
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

const MAX_POUNDS = 100_000;

/** The schema of each root field's arguments. The services of price history parse their own. */
const ARGUMENTS = {
  searchPackages: searchArguments,
  cheapestDates: v.strictObject({ filters: filtersSchema }),
  priceCalendar: v.strictObject({ filters: filtersSchema }),
  explore: v.strictObject({
    filters: filtersSchema,
    level: v.nullish(v.picklist(['COUNTRY', 'REGION', 'RESORT']), 'REGION'),
    maxPricePerAdult: v.nullish(wholeNumber(1, MAX_POUNDS), null),
  }),
  priceAnalysis: v.unknown(),
  priceHistory: v.unknown(),
};

/** The root fields that the store resolves. */
export type RootField = keyof typeof ARGUMENTS;

export const ROOT_FIELDS = Object.keys(ARGUMENTS) as RootField[];

/** A root field's arguments, parsed once for its cost, the cache and the store. */
export type Parsed<Field extends RootField> =
  | { kind: 'request'; request: v.InferOutput<(typeof ARGUMENTS)[Field]> }
  | BadInput;

/** A root field with its parsed arguments. */
export type ParsedField = { [Field in RootField]: { root: Field; parsed: Parsed<Field> } }[RootField];

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

/** Parses the arguments of a root field. Reports the first mistake. */
export function parseArguments<Field extends RootField>(root: Field, variables: unknown): Parsed<Field> {
  const parsed = v.safeParse(ARGUMENTS[root], variables, { abortEarly: true });
  if (parsed.success) return { kind: 'request', request: parsed.output };
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? 'variables';
  return { kind: 'bad-input', field, message: `${field} ${issue.message}.` };
}

export function parseField<Field extends RootField>(root: Field, variables: unknown): ParsedField {
  return { root, parsed: parseArguments(root, variables) } as ParsedField;
}
