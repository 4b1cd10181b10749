import type { PriceStanding } from '../../domain/price-standing.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
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

/** The accuracy of each provider with recorded clicks. An import settles the clicks before it. */
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
  // The store does the counting, because there may be a hundred thousand clicks a day.
  const rows = database.prepare(
    `select provider, case when settled_at is null and is_check = 0 then 'unknown' when next_price is null then 'sold out'
        when next_price = price then 'same' when next_price > price then 'up' else 'down' end as outcome,
      cast(round(abs(next_price - price) * 1000.0 / price) as integer) as tenths, count(*) as clicks
    from site_visit group by 1, 2, 3`,
  );
  for await (const [provider, outcome, tenths, clicks] of rows.iterate()) {
    const tally = tallyOf(Number(provider));
    const number = Number(clicks);
    tally.visits += number;
    if (outcome === 'up' || outcome === 'down') {
      const counts = tally[outcome];
      counts.set(Number(tenths), (counts.get(Number(tenths)) ?? 0) + number);
    } else if (outcome === 'same') tally.same += number;
    else if (outcome === 'sold out') tally.soldOut += number;
    else tally.unknown += number;
  }
  return [...tallies]
    .toSorted(([one], [other]) => one - other)
    .map(([id, tally]) => {
      const provider = catalogue.providers.get(id)?.code ?? String(id);
      return { provider, ...summary(tally), standing: catalogue.standings.get(provider) ?? null };
    });
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
