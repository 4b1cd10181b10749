import { offerOf } from '../../inventory/offer.ts';
import { withoutSame } from '../../inventory/same-hotels.ts';
import type { CachedCatalogue } from '../../inventory/tables/cached-catalogue.ts';
import type { RowReader } from '../../storage/sql-database.ts';
import { bestPerHotelInBlocks } from '../blocks/best-per-hotel-in-blocks.ts';
import { readsTooMuch } from '../blocks/block-scan.ts';
import { pageOfHotels } from '../query/best-per-hotel.ts';
import { everyOffer } from '../query/every-offer.ts';
import type { FoundPage, PackagePage, PackageQuery } from '../query/package-repository.ts';
import type { ReadCodes } from '../query/record-codes.ts';
import { refinedPage } from '../query/refined-page.ts';
import { MAX_BLOCKS } from '../query/search-cost.ts';
import { isLongWindow, type SearchEngine, type Snapshot } from '../query/search-engine.ts';
import { tieOrder } from '../query/tie-order.ts';

const TOO_WIDE = { offers: [], next: null, count: 0, isTooWide: true };

/** The page of each query. Counts the statements that its engine runs. */
export function pagesOf(
  queries: readonly PackageQuery[],
  catalogue: CachedCatalogue,
  reader: RowReader,
  codes: ReadCodes,
  engineOf: (reader: RowReader) => SearchEngine,
): Promise<FoundPage[]> {
  const snapshot = { catalogue, ties: tieOrder(catalogue, codes), reader };
  return Promise.all(
    queries.map(async (query) => {
      let statements = 0;
      const engine = engineOf({
        ...reader,
        rows(sql, values) {
          statements += 1;
          return reader.rows(sql, values);
        },
      });
      const page = await search(engine, query, snapshot);
      return { ...page, statements };
    }),
  );
}

/** Names the columns of the pages' offers. */
export function namedPages(pages: readonly FoundPage[]): PackagePage[] {
  return pages.map((page) => ({ ...page, offers: page.offers.map(offerOf) }));
}

async function search(
  engine: SearchEngine,
  query: PackageQuery,
  snapshot: Snapshot,
): Promise<Omit<FoundPage, 'statements'>> {
  const { catalogue, ties } = snapshot;
  const { sort, collapse, refine } = query;
  const departures = await engine.departures(query);
  if (refine !== undefined) return refinedPage(engine, query, refine, departures, snapshot);
  const isLong = isLongWindow(query);
  const most = collapse === 'none' ? MAX_BLOCKS.packages : MAX_BLOCKS.search;
  if (isLong && (await readsTooMuch(engine, query, departures, most))) return TOO_WIDE;
  if (collapse === 'none') return everyOffer(engine, query, departures, ties);
  const same = catalogue.sameHotels;
  if (isLong && sort !== 'GUEST_RATING_DESC')
    return bestPerHotelInBlocks(engine, { ...query, sort }, departures, ties, same);
  const best = withoutSame(await engine.bestPerHotel(query, departures), same);
  return pageOfHotels(engine, query, best, departures, ties);
}
