import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import { pageOfHotels } from './best-per-hotel.ts';
import { everyOffer } from './every-offer.ts';
import { FACT, FACT_COLUMNS, type Filter, filtersOf, type OfferFacts } from './facet-filters.ts';
import { offerConditions } from './offer-conditions.ts';
import type { FacetName, FoundFacets, FoundPage, Narrowing, PackageQuery } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { Best, Departures, SearchEngine } from './search-engine.ts';
import type { TieOrder } from './tie-order.ts';

/**
 * A page of the packages that pass a narrowing, and the facets. All offers that match the rest of the query are read once.
 * One that fails no filter counts for every facet, and one that fails a single filter counts for this filter's facet.
 */
export async function refinedPage(
  engine: SearchEngine,
  query: PackageQuery,
  narrowing: Narrowing,
  departures: Departures,
  ties: TieOrder,
  catalogue: CachedCatalogue,
): Promise<Omit<FoundPage, 'statements'>> {
  const offers = await readFacts(engine, query, departures);
  const byHotel = Map.groupBy(offers, ([hotel = 0]) => hotel);
  const records = await catalogue.records(engine, {
    hotels: [...byHotel.keys()],
    flights: [...new Set([...distinct(offers, FACT.outbound), ...distinct(offers, FACT.inbound)])],
    rooms: [...distinct(offers, FACT.room)],
  });
  const isByHotel = query.collapse === 'hotel';
  const { all, inUse } = filtersOf(narrowing, records);
  const counting = query.hasFacets ? FACETS.map((name) => all[name]) : [];
  const best = new Map<number, Best>();
  const priced: Priced[] = [];
  let passing = 0;
  let unit = 0;

  function add(offer: OfferFacts): void {
    let failed: Filter | null = null;
    for (const filter of inUse) {
      if (filter.passes(offer)) continue;
      if (failed !== null) return;
      failed = filter;
    }
    if (failed === null) {
      passing += 1;
      addBest(best, offer, departures.days[0] ?? 0);
    }
    if (counting.length === 0) return;
    if (!isByHotel) unit += 1;
    for (const filter of failed === null ? counting : [failed]) filter.count(offer, unit);
    if (failed === null || failed === all.prices) priced.push({ price: offer[FACT.price] ?? 0, unit });
  }
  await engine.each(byHotel.values(), (ofHotel) => {
    unit += 1;
    for (const offer of ofHotel) add(offer);
  });

  const lists = inUse.map((filter) => [filter.column, filter.passing()] as const);
  const narrowed = { ...query, lists };
  const page = isByHotel
    ? await pageOfHotels(engine, narrowed, [...best.values()], departures, ties)
    : await everyOffer(engine, { ...narrowed, knownCount: passing }, departures, ties);
  if (!query.hasFacets) return page;
  const options = Object.fromEntries(FACETS.map((name) => [name, all[name].counts()])) as Record<
    FacetName,
    ReturnType<Filter['counts']>
  >;
  return { ...page, facets: { options, prices: priceFacet(priced) } };
}

const FACETS: readonly FacetName[] = [
  'boards',
  'airports',
  'providers',
  'airlines',
  'stars',
  'guestRatings',
  'outboundTimes',
  'inboundTimes',
  'bags',
  'freeChild',
];

async function readFacts(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
): Promise<OfferFacts[]> {
  const { sql, values } = offerConditions(engine, query, departures);
  // Each column takes a tenth of the time.
  const ofDays = departures.days.length > 1 ? ['departure_day'] : [];
  const ranks = query.sort === 'PRICE_ASC' && ofDays.length === 0 ? [] : [RANK_SQL[query.sort]];
  const columns = [...FACT_COLUMNS, ...ranks, ...ofDays];
  const rows = await engine.rows(`select ${columns.join(', ')} from offer where ${sql}`, values);
  return rows as number[][];
}

function distinct(offers: readonly OfferFacts[], at: number): Set<number> {
  const values = new Set<number>();
  for (const offer of offers) values.add(offer[at] ?? 0);
  return values;
}

/** Keeps the offer if it is its hotel's best so far, or as good and earlier. */
function addBest(best: Map<number, Best>, offer: OfferFacts, onlyDay: number): void {
  const [hotel = 0, price = 0] = offer;
  const rank = offer[FACT.rank] ?? price;
  const day = offer[FACT.day] ?? onlyDay;
  const known = best.get(hotel);
  if (known === undefined) best.set(hotel, { hotel, rank, day });
  else if (rank < known.rank || (rank === known.rank && day < known.day)) {
    known.rank = rank;
    known.day = day;
  }
}

interface Priced {
  price: number;
  unit: number;
}

const PENCE = 100;

/** The most buckets of a price facet. */
const MAX_BUCKETS = 25;

/** Buckets of equal width with edges of round pounds. Prices of a unit follow each other. */
function priceFacet(priced: readonly Priced[]): FoundFacets['prices'] {
  if (priced.length === 0) return null;
  let [min, max] = [Number.POSITIVE_INFINITY, 0];
  for (const { price } of priced) {
    min = Math.min(min, price);
    max = Math.max(max, price);
  }
  const width = roundWidth((max - min) / (MAX_BUCKETS - 1));
  const first = Math.floor(min / width);
  const buckets = Array.from({ length: Math.floor(max / width) - first + 1 }, (_, nth) => ({
    from: (first + nth) * width,
    to: (first + nth + 1) * width,
    count: 0,
  }));
  const lastUnits: number[] = buckets.map(() => 0);
  for (const { price, unit } of priced) {
    const nth = Math.floor(price / width) - first;
    const bucket = buckets[nth];
    if (bucket === undefined || lastUnits[nth] === unit) continue;
    lastUnits[nth] = unit;
    bucket.count += 1;
  }
  return { min, max, buckets };
}

/** A width of at least this, with one digit that is not 0 and no pence. */
function roundWidth(width: number): number {
  const pounds = Math.max(1, width / PENCE);
  const digit = 10 ** Math.floor(Math.log10(pounds));
  return Math.ceil(pounds / digit) * digit * PENCE;
}
