export type SortBy =
  | 'default'
  | 'price-asc'
  | 'price-desc'
  | 'date-asc'
  | 'date-desc'
  | 'stars-desc'
  | 'stars-asc'
  | FurtherSort;

/** Sort orders beyond the specified ones. */
export type FurtherSort = 'rating-desc' | 'value-desc' | 'drop-desc';

export type PackageSort =
  | 'PRICE_ASC'
  | 'PRICE_DESC'
  | 'DEPARTURE_DATE_ASC'
  | 'DEPARTURE_DATE_DESC'
  | 'STAR_RATING_DESC'
  | 'STAR_RATING_ASC';

/** All sort orders in menu order, with their labels and values in the API (Section 9). */
export const SORT_OPTIONS: readonly { value: SortBy; label: string; packageSort: PackageSort }[] = [
  { value: 'default', label: 'Recommended', packageSort: 'PRICE_ASC' },
  { value: 'price-asc', label: 'Price low to high', packageSort: 'PRICE_ASC' },
  { value: 'price-desc', label: 'Price high to low', packageSort: 'PRICE_DESC' },
  { value: 'date-asc', label: 'Departure earliest first', packageSort: 'DEPARTURE_DATE_ASC' },
  { value: 'date-desc', label: 'Departure latest first', packageSort: 'DEPARTURE_DATE_DESC' },
  { value: 'stars-desc', label: 'Stars high to low', packageSort: 'STAR_RATING_DESC' },
  { value: 'stars-asc', label: 'Stars low to high', packageSort: 'STAR_RATING_ASC' },
];

/** Further orders. The page sorts the packages that `PRICE_ASC` finds, unless the server can sort by rating. */
export const FURTHER_SORTS: readonly { value: FurtherSort; label: string }[] = [
  { value: 'rating-desc', label: 'Guest rating high to low' },
  { value: 'value-desc', label: 'Best value' },
  { value: 'drop-desc', label: 'Biggest price drop' },
];

const ALL_SORTS: readonly { value: SortBy; label: string }[] = [...SORT_OPTIONS, ...FURTHER_SORTS];

export function parseSortBy(text: string): SortBy | null {
  return ALL_SORTS.find(({ value }) => value === text)?.value ?? null;
}

export function sortLabel(sortBy: SortBy): string {
  return ALL_SORTS.find(({ value }) => value === sortBy)?.label ?? '';
}

export function toPackageSort(sortBy: SortBy): PackageSort {
  return SORT_OPTIONS.find(({ value }) => value === sortBy)?.packageSort ?? 'PRICE_ASC';
}

/** Whether an order needs price scores of the loaded packages. */
export function isByPriceScore(sortBy: SortBy): sortBy is keyof PriceScores {
  return sortBy === 'value-desc' || sortBy === 'drop-desc';
}

/** Scores by ItemKey, for two orders: the higher, the better. */
export type PriceScores = Record<'value-desc' | 'drop-desc', ReadonlyMap<string, number>>;
