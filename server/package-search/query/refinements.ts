import * as v from 'valibot';
import { FILTER_ENTRIES, type Filter, type FilterKind, type Refinements } from '../../../domain/filters.ts';

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

function limit(filter: Filter): v.ObjectEntries {
  return 'max' in filter ? { [filter.field]: numberTo(filter.max, filter.step) } : {};
}

/** The fields of each kind of filter, with defaults that let every package pass. */
const FIELDS: Record<FilterKind, (filter: Filter) => v.ObjectEntries> = {
  pounds: ({ field }) => range(field, numberTo(MAX_POUNDS)),
  times: ({ field }) => range(field, time),
  choices: (filter) => ({ [filter.field]: listOf('isCode' in filter && filter.isCode ? code : text) }),
  atLeast: limit,
  atMost: limit,
  flag: ({ field }) => ({ [field]: v.nullish(v.boolean(), false) }),
  text: ({ field }) => ({ [field]: v.nullish(text, '') }),
};

function range(field: string, end: v.GenericSchema): v.ObjectEntries {
  return { [`${field}From`]: end, [`${field}To`]: end };
}

/** The further filters of a search, with defaults that let every package pass. */
export const refinementsSchema = v.pipe(
  v.strictObject(
    Object.assign({}, ...FILTER_ENTRIES.map(([, filter]) => FIELDS[filter.kind](filter))) as v.ObjectEntries,
  ) as unknown as v.GenericSchema<unknown, Refinements>,
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
  choices: '[String!]',
  atLeast: 'Float',
  atMost: 'Float',
  flag: 'Boolean',
  text: 'String',
};

function inputFields({ kind, field, note }: Filter): string[] {
  const names = kind === 'pounds' || kind === 'times' ? [`${field}From`, `${field}To`] : [field];
  return names.map((name) => `${note ? `"${note}" ` : ''}${name}: ${INPUT_TYPES[kind]}`);
}

/** The schema's input type of the further filters. */
export const REFINE_TYPES = /* GraphQL */ `
  "Further filters. A package has to pass all that are given; an empty list is none. Prices in pounds, times HH:MM."
  input SearchRefinements {
    ${FILTER_ENTRIES.flatMap(([, filter]) => inputFields(filter)).join('\n    ')}
  }
`;
