import { FILTER_ENTRIES, FILTERS, type Filter, type FilterKey, type FilterKind } from './filters.ts';

export type RefineKey = FilterKey;

/** The chosen values by filter, without empty lists. */
export type Refine = Partial<Record<RefineKey, readonly string[]>>;

const MAX_VALUES = 50;
const MAX_TEXT = 100;

/** Reads the values of a filter as fields of the API's `refine`; null if they are invalid. */
const READERS: Record<FilterKind, (values: readonly string[], filter: Filter) => object | null> = {
  pounds: (values, { field }) => rangeOf(values, field, /^(\d{1,6})-(\d{1,6})$/, Number),
  times: (values, { field }) =>
    rangeOf(values, field, /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/, String),
  codes: (values, { field }) => ({ [field]: values }),
  names: (values, { field }) => ({ [field]: values }),
  atLeast: readLimit,
  atMost: readLimit,
  flag: ([value], { field }) => (value === '1' ? { [field]: true } : null),
  text: ([value = ''], { field }) => ({ [field]: value.slice(0, MAX_TEXT) }),
};

function read(key: RefineKey, values: readonly string[]): object | null {
  const filter: Filter = FILTERS[key];
  return READERS[filter.kind](values, filter);
}

/** The filters in a URL, and the text of the first invalid one. `valuesOf` reads the values of a parameter. */
export function parseRefine(valuesOf: (parameter: string) => string[]): {
  refine: Refine;
  unread: string | null;
} {
  const refine: Refine = {};
  let unread: string | null = null;
  for (const [key] of FILTER_ENTRIES) {
    const values = valuesOf(key).map((value) => value.trim());
    const known = values.filter((value) => value !== '').slice(0, MAX_VALUES);
    if (known.length === 0) continue;
    if (read(key, known) === null) unread ??= known.join(', ');
    else refine[key] = known;
  }
  return { refine, unread };
}

/** The chosen values of each filter, in the order of the filter sheet. */
export function refineEntries(refine: Refine): [key: RefineKey, values: readonly string[]][] {
  return FILTER_ENTRIES.flatMap(([key]) => (refine[key] === undefined ? [] : [[key, refine[key]]]));
}

/** The filters as the API's `refine`. */
export function toRefinements(refine: Refine): object {
  return Object.assign({}, ...refineEntries(refine).map(([key, values]) => read(key, values))) as object;
}

/** The filters with the values of one filter replaced. An empty list removes that filter. */
export function withRefine(refine: Refine, key: RefineKey, values: readonly string[]): Refine {
  const { [key]: _, ...others } = refine;
  return values.length === 0 ? others : { ...others, [key]: values };
}

function readLimit([value = '']: readonly string[], filter: Filter): object | null {
  const number = Number(value);
  return number > 0 && 'max' in filter && number <= filter.max ? { [filter.field]: number } : null;
}

function rangeOf(
  [range = '']: readonly string[],
  field: string,
  form: RegExp,
  convert: (text: string) => unknown,
): object | null {
  const [, from, to] = form.exec(range) ?? [];
  return from === undefined ? null : { [`${field}From`]: convert(from), [`${field}To`]: convert(to ?? '') };
}
