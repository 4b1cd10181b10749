import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import { bestPerHotel } from './best-per-hotel.ts';
import { bestPerHotelInBlocks } from './best-per-hotel-in-blocks.ts';
import { readsTooMuch } from './block-scan.ts';
import { everyOffer } from './every-offer.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { refinedPage } from './refined-page.ts';
import { MAX_BLOCKS } from './search-cost.ts';
import { isLongWindow, type SearchEngine } from './search-engine.ts';
import type { TieOrder } from './tie-order.ts';

const TOO_WIDE = { offers: [], next: null, count: 0, isTooWide: true };

export async function search(
  engine: SearchEngine,
  query: PackageQuery,
  ties: TieOrder,
  catalogue: CachedCatalogue,
): Promise<FoundPage> {
  const departures = await engine.departures(query);
  if (query.refine !== undefined) {
    const page = await refinedPage(engine, query, query.refine, departures, ties, catalogue);
    return { ...page, statements: engine.statements };
  }
  const isLong = isLongWindow(query);
  const most = query.collapse === 'none' ? MAX_BLOCKS.packages : MAX_BLOCKS.search;
  if (isLong && (await readsTooMuch(engine, query, departures, most)))
    return { ...TOO_WIDE, statements: engine.statements };
  const { sort } = query;
  const page =
    query.collapse === 'none'
      ? await everyOffer(engine, query, departures, ties)
      : isLong && sort !== 'GUEST_RATING_DESC'
        ? await bestPerHotelInBlocks(engine, { ...query, sort }, departures, ties, catalogue.sameHotels)
        : await bestPerHotel(engine, query, departures, ties, catalogue.sameHotels);
  return { ...page, statements: engine.statements };
}
