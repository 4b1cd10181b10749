import { bestPerHotel } from './best-per-hotel.ts';
import { everyOffer } from './every-offer.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import type { SearchEngine } from './search-engine.ts';

/** Finds one page of packages. */
export async function search(engine: SearchEngine, query: PackageQuery): Promise<FoundPage> {
  const departures = await engine.departures(query);
  const page =
    query.collapse === 'hotel'
      ? await bestPerHotel(engine, query, departures)
      : await everyOffer(engine, query, departures);
  return { ...page, statements: engine.statements };
}
