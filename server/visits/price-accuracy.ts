import type { Pence } from '../../domain/money.ts';
import type { PriceStanding } from '../../domain/price-standing.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER } from '../inventory/offer-columns.ts';
import { historyKeyOf, IS_IN_HISTORY } from '../price-history/history-key.ts';
import type { SqlSession } from '../storage/sql-database.ts';

/**
 * How accurate a provider's displayed prices were: when clicked, compared with its next feed; when checked, with its
 * response. `visits` is the sum of `same`, `up`, `down`, `soldOut` and `unknown`. "Clicks" below includes checks.
 */
export interface ProviderAccuracy {
  provider: string;
  visits: number;
  same: number;
  /** Clicks whose next price was higher. `medianUp` is the median rise in percent; null without a rise. */
  up: number;
  medianUp: number | null;
  down: number;
  medianDown: number | null;
  /** Clicks whose package was no longer in the provider's next feed. */
  soldOut: number;
  /** Clicks without a later price. */
  unknown: number;
  standing: PriceStanding | null;
}

/** Outcomes of clicks. Takes the same memory for any number of clicks. */
interface Tally {
  visits: number;
  same: number;
  soldOut: number;
  unknown: number;
  /** How many clicks had each price change, by tenths of a percent. */
  up: Map<number, number>;
  down: Map<number, number>;
}

/** How many of the newest clicks without a later feed are looked up in the store. Others count as unknown. */
const LOOKED_UP = 100_000;

/** The accuracy of each provider with recorded clicks. */
export async function priceAccuracy(
  database: SqlSession,
  catalogue: CodedCatalogue,
): Promise<ProviderAccuracy[]> {
  const tallies = new Map<number, Tally>();
  const tallyOf = (provider: number): Tally => {
    const known = tallies.get(provider);
    if (known !== undefined) return known;
    const tally = { visits: 0, same: 0, soldOut: 0, unknown: 0, up: new Map(), down: new Map() };
    tallies.set(provider, tally);
    return tally;
  };
  await countSettled(database, tallyOf);
  await countUnsettled(database, catalogue, tallyOf);
  return [...tallies]
    .toSorted(([one], [other]) => one - other)
    .map(([id, tally]) => {
      const provider = catalogue.providers.get(id)?.code ?? String(id);
      return { provider, ...summary(tally), standing: catalogue.standings.get(provider) ?? null };
    });
}

/** The store does the counting, because there may be a hundred thousand clicks a day. */
async function countSettled(database: SqlSession, tallyOf: (provider: number) => Tally): Promise<void> {
  const rows = database
    .prepare(
      `select provider, case when next_price is null then 'sold out' when next_price = price then 'same'
          when next_price > price then 'up' else 'down' end as outcome,
        cast(round(abs(next_price - price) * 1000.0 / price) as integer) as tenths, count(*) as clicks
      from site_visit where settled_at is not null or is_check = 1 group by 1, 2, 3`,
    )
    .iterate();
  for await (const [provider, outcome, tenths, clicks] of rows) {
    const tally = tallyOf(Number(provider));
    const number = Number(clicks);
    tally.visits += number;
    if (outcome === 'same') tally.same += number;
    else if (outcome === 'sold out') tally.soldOut += number;
    else add(outcome === 'up' ? tally.up : tally.down, Number(tenths), number);
  }
}

async function countUnsettled(
  database: SqlSession,
  catalogue: CodedCatalogue,
  tallyOf: (provider: number) => Tally,
): Promise<void> {
  const all = database.prepare(
    'select provider, count(*) from site_visit where settled_at is null and is_check = 0 group by provider',
  );
  for (const [provider, clicks] of await all.rows()) {
    const tally = tallyOf(Number(provider));
    tally.visits += Number(clicks);
    tally.unknown = Number(clicks);
  }
  const later = laterPriceFinder(database, catalogue);
  const newest = database.prepare(
    `select provider, item_key, price, visited_at from site_visit where settled_at is null and is_check = 0
    order by id desc limit ${LOOKED_UP}`,
  );
  for await (const [provider, itemKey, shown, visitedAt] of newest.iterate()) {
    const price = await later(String(itemKey), Number(visitedAt));
    if (price === null) continue;
    const tally = tallyOf(Number(provider));
    tally.unknown -= 1;
    const change = price - Number(shown);
    if (change === 0) tally.same += 1;
    else add(change > 0 ? tally.up : tally.down, Math.round((Math.abs(change) * 1_000) / Number(shown)), 1);
  }
}

function add(counts: Map<number, number>, tenths: number, number: number): void {
  counts.set(tenths, (counts.get(tenths) ?? 0) + number);
}

function summary({ up, down, ...counts }: Tally): Omit<ProviderAccuracy, 'provider' | 'standing'> {
  const medians = { medianUp: medianPercent(up), medianDown: medianPercent(down) };
  return { ...counts, up: sumOf(up), down: sumOf(down), ...medians };
}

function sumOf(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((sum, number) => sum + number, 0);
}

/** The median change in percent; null if nothing changed. */
function medianPercent(counts: ReadonlyMap<number, number>): number | null {
  const all = sumOf(counts);
  if (all === 0) return null;
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  const at = (place: number): number => {
    let before = 0;
    for (const [tenths, number] of sorted) {
      before += number;
      if (place < before) return tenths;
    }
    throw new Error('The rank is out of range');
  };
  return (at((all - 1) >> 1) + at(all >> 1)) / 20;
}

/** Finds a package's first price in the store after a given minute; null if there is none. */
function laterPriceFinder(
  database: SqlSession,
  catalogue: CodedCatalogue,
): (itemKey: string, minute: number) => Promise<Pence | null> {
  const observed = database.prepare(
    `select price from price_observation
    where ${IS_IN_HISTORY}
      and coalesce(last_seen_at, seen_at) > ?
    order by seen_at limit 1`,
  );
  const current = database.prepare(`select price from offer where ${IS_OFFER} and seen_at > ?`);
  return async (itemKey, minute) => {
    const key = await parseItemKey(itemKey, catalogue);
    const found =
      key && ((await observed.get(...historyKeyOf(key), minute)) ?? (await current.get(...key, minute)));
    return found ? Number(found.price) : null;
  };
}
