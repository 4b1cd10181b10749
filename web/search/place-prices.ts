import type { CalendarDate } from '../../domain/calendar-date.ts';
import type { Pence } from '../../domain/money.ts';

/** The lowest price of a place or month, and its trip. */
export interface LowestPrice {
  date: CalendarDate;
  nights: number;
  /** For the whole party. */
  total: Pence;
}

export interface GlobePosition {
  latitude: number;
  longitude: number;
}

/** A country or region, with its lowest price overall and in each month of departure. */
export interface PlacePrices {
  country: string;
  /** Empty for a country. */
  region: string;
  /** Null if no hotel's position is known. */
  position: GlobePosition | null;
  lowest: LowestPrice;
  /** In order, without months that have no package. */
  months: readonly LowestPrice[];
}

/** A country with its regions, the cheapest first. */
export interface CountryPrices extends PlacePrices {
  regions: readonly PlacePrices[];
}

/** A region's prices for one number of nights. */
export type FoundRegion = Omit<PlacePrices, 'lowest'>;

/** Merges the regions of several responses, with the lowest price of each month. */
export function mergeRegions(responses: readonly (readonly FoundRegion[])[]): PlacePrices[] {
  const byPlace = groupBy(responses.flat(), ({ country, region }) => `${country}\n${region}`);
  return byPrice(
    [...byPlace.values()].flatMap((found) => {
      const [first] = found;
      const months = lowestByMonth(found.flatMap((each) => each.months));
      const lowest = lowestOf(months);
      if (first === undefined || lowest === null) return [];
      const { country, region, position } = first;
      return [{ country, region, position, lowest, months }];
    }),
  );
}

/** The regions and months with a price of at most `maxTotal` for the party. Null: all of them. */
export function regionsUpTo(regions: readonly PlacePrices[], maxTotal: Pence | null): readonly PlacePrices[] {
  if (maxTotal === null) return regions;
  return regions
    .filter(({ lowest }) => lowest.total <= maxTotal)
    .map((region) => ({ ...region, months: region.months.filter(({ total }) => total <= maxTotal) }));
}

/** The countries of regions, the cheapest first. A country's price is that of its cheapest region. */
export function countriesOf(regions: readonly PlacePrices[]): CountryPrices[] {
  const byCountry = groupBy(regions, ({ country }) => country);
  return byPrice(
    [...byCountry].flatMap(([country, ofCountry]) => {
      const months = lowestByMonth(ofCountry.flatMap((region) => region.months));
      const lowest = lowestOf(months);
      if (lowest === null) return [];
      const position = mostCentral(ofCountry);
      return [{ country, region: '', position, lowest, months, regions: byPrice(ofCountry) }];
    }),
  );
}

/** The lowest price. Of equal prices, the earliest departure, then the shortest stay. Null if there are none. */
export function lowestOf(prices: readonly LowestPrice[]): LowestPrice | null {
  return prices.reduce<LowestPrice | null>(
    (best, price) => (best === null || isBetter(price, best) ? price : best),
    null,
  );
}

function lowestByMonth(prices: readonly LowestPrice[]): LowestPrice[] {
  return [...groupBy(prices, ({ date }) => date.slice(0, 'YYYY-MM'.length))]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, ofMonth]) => lowestOf(ofMonth) ?? []);
}

function isBetter(price: LowestPrice, best: LowestPrice): boolean {
  if (price.total !== best.total) return price.total < best.total;
  return price.date === best.date ? price.nights < best.nights : price.date < best.date;
}

function byPrice<Place extends PlacePrices>(places: readonly Place[]): Place[] {
  const nameOf = ({ country, region }: Place) => `${country}\n${region}`;
  return [...places].sort(
    (one, other) => one.lowest.total - other.lowest.total || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
}

/** The position of the region nearest to all others: the mean of Spain's mainland and islands is in the sea. */
function mostCentral(regions: readonly PlacePrices[]): GlobePosition | null {
  const positions = regions.flatMap(({ position }) => position ?? []);
  const distance = (one: GlobePosition) =>
    positions.reduce(
      (sum, other) => sum + Math.hypot(one.latitude - other.latitude, one.longitude - other.longitude),
      0,
    );
  const [central] = positions
    .map((position) => ({ position, far: distance(position) }))
    .sort((one, other) => one.far - other.far);
  return central?.position ?? null;
}

/** `Map.groupBy` is newer than the oldest browsers we support. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
