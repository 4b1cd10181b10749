import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { SqlValue } from '../../storage/sql-database.ts';
import { type Conditions, offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { Departures, SearchEngine } from './search-engine.ts';
import type { TieOrder } from './tie-order.ts';

/** A page of every matching offer (`SEARCH_COLLAPSE=none`). */
export async function everyOffer(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
  ties: TieOrder,
): Promise<Omit<FoundPage, 'statements'>> {
  const conditions = offerConditions(engine, query, departures);
  const { after, limit } = query;
  const byRank = await offersByRank(engine, query, conditions);
  const isInOrder = query.ties === 'any' || (after === null && !hasTies(byRank));
  const highest = byRank.length > limit ? byRank.at(-1)?.rank : undefined;
  const found = isInOrder ? byRank : await offersInOrder(engine, query, conditions, highest);

  const page = found.slice(0, limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  // The whole result fits on this page, so its length is the count.
  const count = after === null && !last ? page.length : query.knownCount;
  return {
    offers: page.map(({ offer }) => offer),
    next: last && query.ties !== 'any' ? [last.rank, ...(await ties.placeOf(last.offer))] : null,
    isTooWide: false,
    count: count ?? (await countOffers(engine, conditions)),
  };
}

interface RankedOffer {
  rank: number;
  offer: OfferRow;
}

/** The first offers ranked after the page's start, up to one more than the page has. */
async function offersByRank(
  engine: SearchEngine,
  { sort, after, limit }: PackageQuery,
  { sql, values }: Conditions,
): Promise<RankedOffer[]> {
  const rank = `(${RANK_SQL[sort]})`;
  const following = after === null ? '' : ` and ${rank} > ?`;
  const rows = await engine.rows(
    `select ${OFFER_COLUMNS.join(', ')}, ${rank} from offer where ${sql}${following} order by ${rank} limit ?`,
    [...values, ...(after === null ? [] : [Number(after[0])]), limit + 1],
  );
  return rows.map(rankedOffer);
}

function hasTies(offers: readonly RankedOffer[]): boolean {
  return offers.some(({ rank }, nth) => rank === offers[nth - 1]?.rank);
}

/** The tables for ordering equal ranks. The store sorts, because any number of offers may have one rank. */
const TABLES = `left join hotel on hotel.id = tied.hotel
  left join provider as owner on owner.id = hotel.provider
  left join airport on airport.id = tied.airport
  left join board on board.id = tied.board
  left join room on room.id = tied.room
  left join provider as seller on seller.id = tied.provider`;

type OrderColumn = readonly ['code' | 'id', expression: string];

/** The order of `TieOrder.placeOf`. `tied` is the offer. */
const ORDER: readonly OrderColumn[] = [
  ['code', 'hotel.code'],
  ['code', 'owner.code'],
  ['id', 'departure_day'],
  ['id', 'nights'],
  ['id', 'tied.country'],
  ['id', 'tied.region'],
  ['id', 'tied.resort'],
  ['code', 'airport.code'],
  ['code', 'board.code'],
  ['code', 'room.code'],
  ['code', 'seller.code'],
];

/** The offers after the page's start whose rank is at most `highest`, in order, up to one more than the page has. */
async function offersInOrder(
  engine: SearchEngine,
  { sort, after, limit }: PackageQuery,
  { sql, values }: Conditions,
  highest: number | undefined,
): Promise<RankedOffer[]> {
  const ranks: [condition: string, value: number][] = [];
  if (after !== null) ranks.push(['rank >= ?', Number(after[0])]);
  if (highest !== undefined) ranks.push(['rank <= ?', highest]);
  const texts = ORDER.map(([kind, expression]) =>
    kind === 'id' ? expression : engine.inByteOrder(`coalesce(${expression}, '')`),
  );
  const order = ['rank', ...texts].join(', ');
  const rows = await engine.rows(
    `select ${OFFER_COLUMNS.map((column) => `tied.${column}`).join(', ')}, rank
      from (select * from (select ${RANK_SQL[sort]} as rank, ${OFFER_COLUMNS.join(', ')} from offer where ${sql}) as ranked
        where ${['true', ...ranks.map(([condition]) => condition)].join(' and ')}) as tied ${TABLES}
      ${after === null ? '' : `where (${order}) > (${after.map(() => '?').join(', ')})`}
      order by ${order} limit ?`,
    [...values, ...ranks.map(([, value]) => value), ...(after ?? []), limit + 1],
  );
  return rows.map(rankedOffer);
}

/** The rank is the last column. */
function rankedOffer(row: SqlValue[]): RankedOffer {
  return { rank: Number(row.pop()), offer: row as unknown as OfferRow };
}

async function countOffers(engine: SearchEngine, { sql, values }: Conditions): Promise<number> {
  const [row] = await engine.rows(`select count(*) from offer where ${sql}`, values);
  return Number(row?.[0]);
}
