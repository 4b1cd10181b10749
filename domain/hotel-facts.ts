interface Declaration {
  /** The field of a feed, and of `Hotel` in the API's items. */
  field: string;
  /** The column of the store's table `hotel`, which a migration adds as `double precision`. */
  column: string;
  /** The values that a feed may have, in multiples of `step` (0: any), and what they are in words. */
  min: number;
  max: number;
  step: number;
  what: string;
  /** The most that the page accepts from other servers, if it is more than `max`. */
  maxElsewhere?: number;
}

/** The facts about hotels that are a number, null if unknown. Feeds, the store, the API and the page follow. */
export const HOTEL_FACTS = {
  consumerRating: {
    field: 'ConsumerRating',
    column: 'consumer_rating',
    min: 0,
    // 84 may be out of a hundred, but the feed does not say so.
    max: 10,
    step: 0,
    what: 'a rating out of 10; a mapping can convert it with times',
    maxElsewhere: 100,
  },
  /** Of feeds, else measured from the hotel's position. */
  seaDistance: {
    field: 'SeaDistance',
    column: 'sea_distance',
    min: 0,
    max: 500,
    step: 0,
    what: 'the straight distance to the sea in kilometres',
  },
} as const satisfies Record<string, Declaration>;

type Declared = typeof HOTEL_FACTS;

export type HotelFact = keyof Declared;

export type HotelFactField = Declared[HotelFact]['field'];

/** A hotel's facts in the store. */
export type HotelFacts = { [Fact in HotelFact]?: number | null };

/** A hotel's facts in an item. */
export type HotelFactFields = { [Field in HotelFactField]: number | null };

export const HOTEL_FACT_ENTRIES = Object.entries(HOTEL_FACTS) as [
  HotelFact,
  Declaration & { field: HotelFactField },
][];

/** Makes a value of each fact, by its name. */
export function byHotelFact<Value>(
  make: (fact: HotelFact, declaration: Declaration & { field: HotelFactField }) => Value,
): Record<HotelFact, Value> {
  return Object.fromEntries(
    HOTEL_FACT_ENTRIES.map(([fact, declaration]) => [fact, make(fact, declaration)]),
  ) as Record<HotelFact, Value>;
}

/** Makes a value of each fact, by its field in feeds and items. */
export function byHotelFactField<Value>(
  make: (fact: HotelFact, declaration: Declaration & { field: HotelFactField }) => Value,
): Record<HotelFactField, Value> {
  return Object.fromEntries(
    HOTEL_FACT_ENTRIES.map(([fact, declaration]) => [declaration.field, make(fact, declaration)]),
  ) as Record<HotelFactField, Value>;
}
