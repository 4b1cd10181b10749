import * as v from 'valibot';
import {
  FILTER_ENTRIES,
  type Filter,
  type FilterKind,
  fieldsOf,
  type Refinements,
} from '../../../domain/filters.ts';

export type { Refinements } from '../../../domain/filters.ts';

const MAX_POUNDS = 300_000;

const MAX_CHOICES = 200;

const MAX_LENGTH = 200;

export const text = v.pipe(v.string(), v.maxLength(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`));

/** Codes are capitals in the store. */
const code = v.pipe(text, v.toUpperCase());

function listOf(value: typeof text | typeof code) {
  const message = `must have at most ${MAX_CHOICES} values`;
  return v.nullish(v.pipe(v.array(value), v.maxLength(MAX_CHOICES, message)), []);
}

const time = v.nullish(
  v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day (HH:MM)')),
  null,
);

function numberTo(max: number, step?: number) {
  const message = `must be a number from 0 to ${max}`;
  const number = v.pipe(v.number(message), v.minValue(0, message), v.maxValue(max, message));
  if (step === undefined) return v.nullish(number, null);
  return v.nullish(v.pipe(number, v.multipleOf(step, `must be a multiple of ${step}`)), null);
}

/** The values of each kind of filter, with defaults that let every package pass. */
const VALUES: Record<FilterKind, (filter: Filter) => v.GenericSchema> = {
  pounds: () => numberTo(MAX_POUNDS),
  times: () => time,
  codes: () => listOf(code),
  names: () => listOf(text),
  atLeast: limit,
  atMost: limit,
  flag: () => v.nullish(v.boolean(), false),
  text: () => v.nullish(text, ''),
};

function limit(filter: Filter) {
  return 'max' in filter ? numberTo(filter.max, filter.step) : v.never();
}

const entries = FILTER_ENTRIES.flatMap(([, filter]) =>
  fieldsOf(filter).map((field) => [field, VALUES[filter.kind](filter)]),
);

/** The further filters of a search, with defaults that let every package pass. */
export const refinementsSchema = v.pipe(
  v.strictObject(Object.fromEntries(entries)) as v.GenericSchema<unknown, unknown> as v.GenericSchema<
    unknown,
    Refinements
  >,
  v.forward(
    v.check(
      ({ priceFrom, priceTo }) => (priceFrom ?? 0) <= (priceTo ?? MAX_POUNDS),
      'must not be below priceFrom',
    ),
    ['priceTo'],
  ),
);

export const NO_REFINEMENTS: Refinements = v.parse(refinementsSchema, {});

const INPUT_TYPES: Record<FilterKind, string> = {
  pounds: 'Float',
  times: 'String',
  codes: '[String!]',
  names: '[String!]',
  atLeast: 'Float',
  atMost: 'Float',
  flag: 'Boolean',
  text: 'String',
};

const inputs = FILTER_ENTRIES.flatMap(([, filter]) =>
  fieldsOf(filter).map((field) => `${field}: ${INPUT_TYPES[filter.kind]}`),
);

/** The schema's input type of the further filters. */
export const REFINE_TYPES = /* GraphQL */ `
  "Further filters. A package has to pass all that are given; an empty list is none. Prices in pounds, times HH:MM, hotelCode: every package of this hotel."
  input SearchRefinements {
    ${inputs.join('\n    ')}
  }
`;
