import * as v from 'valibot';

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

function numberTo(max: number) {
  const message = `must be a number from 0 to ${max}`;
  return v.pipe(v.number(message), v.minValue(0, message), v.maxValue(max, message));
}

/** The further filters of a search, with defaults that let every package pass. */
export const refinementsSchema = v.pipe(
  v.strictObject({
    priceFrom: v.nullish(numberTo(MAX_POUNDS), null),
    priceTo: v.nullish(numberTo(MAX_POUNDS), null),
    boards: listOf(code),
    minStars: v.nullish(v.pipe(numberTo(7), v.multipleOf(0.5, 'must be a multiple of 0.5')), null),
    minGuestRating: v.nullish(numberTo(10), null),
    outboundFrom: time,
    outboundTo: time,
    inboundFrom: time,
    inboundTo: time,
    airports: listOf(code),
    airlines: listOf(text),
    providers: listOf(code),
    bags: v.nullish(v.boolean(), false),
    freeChild: v.nullish(v.boolean(), false),
    hotelName: v.nullish(text, ''),
    hotelCode: v.nullish(text, ''),
  }),
  v.forward(
    v.check(
      ({ priceFrom, priceTo }) => (priceFrom ?? 0) <= (priceTo ?? MAX_POUNDS),
      'must not be below priceFrom',
    ),
    ['priceTo'],
  ),
);

export type Refinements = v.InferOutput<typeof refinementsSchema>;

export const NO_REFINEMENTS: Refinements = v.parse(refinementsSchema, {});

/** The schema's input type of the further filters. */
export const REFINE_TYPES = /* GraphQL */ `
  "Further filters. A package has to pass all that are given; an empty list is none. Prices in pounds, times HH:MM."
  input SearchRefinements {
    priceFrom: Float
    priceTo: Float
    boards: [String!]
    minStars: Float
    minGuestRating: Float
    outboundFrom: String
    outboundTo: String
    inboundFrom: String
    inboundTo: String
    airports: [String!]
    airlines: [String!]
    providers: [String!]
    bags: Boolean
    freeChild: Boolean
    hotelName: String
    "A HotelIdentifierCode: every package of this hotel, whatever SEARCH_COLLAPSE is."
    hotelCode: String
  }
`;
