import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { withoutSame } from '../../inventory/same-hotels.ts';
import { pageOfHotels } from './best-per-hotel.ts';
import { everyOffer } from './every-offer.ts';
import { FACT, FACT_COLUMNS, type Filter, filtersOf, type OfferFacts } from './facet-filters.ts';
import { facetsOf, type Priced, type ProviderPrice } from './facets.ts';
import { offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { Refinements } from './refinements.ts';
import type { Best, Departures, SearchEngine, Snapshot } from './search-engine.ts';

/** A hotel's best offer, and how many of its offers pass. */
interface BestOfMany extends Best {
  passing: number;
}

/**
 * A page of the packages that pass further filters, and the facets. Reads all offers that match the rest of the query
 * once. An offer that passes all filters counts in every facet; one that fails a single filter counts in its facet.
 */
export async function refinedPage(
  engine: SearchEngine,
  query: PackageQuery,
  refine: Refinements,
  departures: Departures,
  { catalogue, ties, reader }: Snapshot,
): Promise<Omit<FoundPage, 'statements'>> {
  const offers = await readFacts(engine, query, departures);
  const { sameHotels, providers } = catalogue;
  const membersOf = (hotel: number) => sameHotels.get(hotel) ?? [hotel];
  const byHotel = Map.groupBy(offers, ([hotel = 0]) => sameHotels.get(hotel)?.[0] ?? hotel);
  const records = await catalogue.records(reader, {
    hotels: sameHotels.size === 0 ? [...byHotel.keys()] : [...byHotel.keys()].flatMap(membersOf),
    flights: distinct(offers, FACT.outbound, FACT.inbound),
    rooms: distinct(offers, FACT.room),
  });
  const filters = filtersOf(refine, records, catalogue);
  const all: Filter[] = Object.values(filters);
  const inUse = all.filter(({ isInUse }) => isInUse);
  const best = new Map<number, BestOfMany>();
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
    if (!query.hasFacets) return;
    if (query.collapse === 'none') unit += 1;
    for (const filter of failed === null ? all : [failed]) filter.count(offer, unit);
    if (failed === null || failed === filters.price) priced.push({ price: offer[FACT.price] ?? 0, unit });
  }
  await engine.each(byHotel.values(), (ofHotel) => {
    unit += 1;
    for (const offer of ofHotel) add(offer);
  });

  const lists = inUse.map((filter) => [filter.column, filter.passing()] as const);
  const narrowed = { ...query, lists };
  const page =
    query.collapse === 'hotel'
      ? await pageOfHotels(engine, narrowed, withoutSame([...best.values()], sameHotels), departures, ties)
      : await everyOffer(engine, { ...narrowed, knownCount: passing }, departures, ties);
  if (!query.hasFacets) return page;

  /** Other providers of an offer's hotel, each with its lowest price that passes the filters, the lowest first. */
  function otherProviders(offer: OfferRow): ProviderPrice[] {
    const lowest = new Map<number, number>();
    const [representative = 0] = membersOf(offer[OFFER.hotel]);
    for (const each of byHotel.get(representative) ?? []) {
      const [, price = 0] = each;
      const provider = each[FACT.provider] ?? 0;
      if (provider === offer[OFFER.provider] || price >= (lowest.get(provider) ?? Number.POSITIVE_INFINITY))
        continue;
      if (inUse.every((filter) => filter.passes(each))) lowest.set(provider, price);
    }
    return [...lowest]
      .map(([id, price]) => ({ Brand: providers.get(id)?.code ?? '', TotalPrice: price / 100 }))
      .sort((one, other) => one.TotalPrice - other.TotalPrice || (one.Brand < other.Brand ? -1 : 1));
  }
  const otherPackages = page.offers.map(
    (offer) =>
      membersOf(offer[OFFER.hotel]).reduce((sum, hotel) => sum + (best.get(hotel)?.passing ?? 0), 0) - 1,
  );
  const others = { otherPackages, otherProviders: page.offers.map(otherProviders) };
  return { ...page, facets: facetsOf(filters, priced, others) };
}

async function readFacts(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
): Promise<OfferFacts[]> {
  const { sql, values } = offerConditions(engine, query, departures);
  // Reads only the columns it needs: each takes a tenth of the time.
  const ofDays = departures.days.length > 1 ? ['departure_day'] : [];
  const ranks = query.sort === 'PRICE_ASC' && ofDays.length === 0 ? [] : [RANK_SQL[query.sort]];
  const columns = [...FACT_COLUMNS, ...ranks, ...ofDays];
  const rows = await engine.rows(`select ${columns.join(', ')} from offer where ${sql}`, values);
  return rows as number[][];
}

function distinct(offers: readonly OfferFacts[], ...columns: readonly number[]): number[] {
  const values = new Set<number>();
  for (const offer of offers) for (const at of columns) values.add(offer[at] ?? 0);
  return [...values];
}

/** Counts the offer, and keeps it if it is its hotel's best so far, or equally good and earlier. */
function addBest(best: Map<number, BestOfMany>, offer: OfferFacts, onlyDay: number): void {
  const [hotel = 0, price = 0] = offer;
  const rank = offer[FACT.rank] ?? price;
  const day = offer[FACT.day] ?? onlyDay;
  const known = best.get(hotel);
  if (known === undefined) {
    best.set(hotel, { hotel, rank, day, passing: 1 });
    return;
  }
  known.passing += 1;
  if (rank > known.rank || (rank === known.rank && day >= known.day)) return;
  known.rank = rank;
  known.day = day;
}
