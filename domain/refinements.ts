/** Reads the values of a filter as fields of the API's `refine`; null if they are invalid. */
type Reader = (values: readonly string[]) => object | null;

const MAX_VALUES = 50;

/**
 * The filters beyond the specified ones, by their parameter in the URL, in the order of the
 * filter sheet. CONTRIBUTING.md has the recipe for a new one.
 */
const READERS = {
  price: ([range = '']) => {
    const [, priceFrom, priceTo] = /^(\d{1,6})-(\d{1,6})$/.exec(range) ?? [];
    return priceFrom === undefined ? null : { priceFrom: Number(priceFrom), priceTo: Number(priceTo) };
  },
  boards: several('boards'),
  minstars: atLeast('minStars', 7),
  rating: atLeast('minGuestRating', 10),
  out: during('outbound'),
  back: during('inbound'),
  airports: several('airports'),
  airlines: several('airlines'),
  providers: several('providers'),
  bags: switchedOn('bags'),
  freechild: switchedOn('freeChild'),
  hotelcode: ([hotelCode = '']) => ({ hotelCode }),
  hotel: ([hotelName = '']) => ({ hotelName: hotelName.slice(0, 100) }),
} satisfies Record<string, Reader>;

export type RefineKey = keyof typeof READERS;

/** The chosen values by filter, without empty lists. */
export type Refine = Partial<Record<RefineKey, readonly string[]>>;

export const REFINE_KEYS = Object.keys(READERS) as RefineKey[];

/** The filters in a URL, and the text of the first invalid one. `valuesOf` reads the values of a parameter. */
export function parseRefine(valuesOf: (parameter: string) => string[]): {
  refine: Refine;
  unread: string | null;
} {
  const refine: Refine = {};
  let unread: string | null = null;
  for (const key of REFINE_KEYS) {
    const values = valuesOf(key).map((value) => value.trim());
    const known = values.filter((value) => value !== '').slice(0, MAX_VALUES);
    if (known.length === 0) continue;
    if (READERS[key](known) === null) unread ??= known.join(', ');
    else refine[key] = known;
  }
  return { refine, unread };
}

/** The filters as the API's `refine`. */
export function toRefinements(refine: Refine): object {
  return Object.assign({}, ...REFINE_KEYS.map((key) => refine[key] && READERS[key](refine[key]))) as object;
}

/** The filters with the values of one filter replaced. An empty list removes that filter. */
export function withRefine(refine: Refine, key: RefineKey, values: readonly string[]): Refine {
  const { [key]: _, ...others } = refine;
  return values.length === 0 ? others : { ...others, [key]: values };
}

function several(field: string): Reader {
  return (values) => ({ [field]: values });
}

function atLeast(field: string, most: number): Reader {
  return ([value = '']) => (Number(value) > 0 && Number(value) <= most ? { [field]: Number(value) } : null);
}

function during(leg: string): Reader {
  return ([range = '']) => {
    const [, from, to] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(range) ?? [];
    return from === undefined ? null : { [`${leg}From`]: from, [`${leg}To`]: to };
  };
}

function switchedOn(field: string): Reader {
  return ([value]) => (value === '1' ? { [field]: true } : null);
}
