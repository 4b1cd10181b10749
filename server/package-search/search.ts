import { bestPerHotel } from './best-per-hotel.ts';
import { bestPerHotelInBlocks } from './best-per-hotel-in-blocks.ts';
import { everyOffer } from './every-offer.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import type { SearchEngine } from './search-engine.ts';
import { isWide } from './wide-search.ts';

/** Finds one page of packages. */
export async function search(engine: SearchEngine, query: PackageQuery): Promise<FoundPage> {
  const departures = await engine.departures(query);
  const find = query.collapse === 'none' ? everyOffer : isWide(query) ? bestPerHotelInBlocks : bestPerHotel;
  const page = await find(engine, query, departures);
  return { ...page, statements: engine.statements };
}
