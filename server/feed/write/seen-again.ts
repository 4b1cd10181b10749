import { hasGapSql, PRICE_SINCE, seenAgainSql } from '../../inventory/offer-columns.ts';
import { recordRunsSql, SET_BACK } from '../../inventory/tables/price-runs.ts';
import { HISTORY_KEY_COLUMNS } from '../../price-history/history-key.ts';
import { PRICE_RUNS } from '../../price-history/history-table.ts';
import type { SqlSession } from '../../storage/sql-database.ts';

/** A provider's stored offers: all, those whose `seen_at` a sighting rewrites, and those it follows after a gap. */
export interface SeenOffers {
  all: number;
  again: number;
  afterGap: number;
}

/** Offers that are in the feed without having been read are seen at this minute, unless they were seen later. */
const isAgain = (seenAt: number) =>
  `(offer.seen_at < ${seenAt} and ${seenAgainSql(String(seenAt), 'offer.seen_at')})`;
const isAfterGap = (seenAt: number) =>
  `(${isAgain(seenAt)} and ${hasGapSql(String(seenAt), 'offer.seen_at')})`;

export async function countSeen(database: SqlSession, provider: number, seenAt: number): Promise<SeenOffers> {
  const count = database.prepare(`select count(*), count(*) filter (where ${isAgain(seenAt)}),
    count(*) filter (where ${isAfterGap(seenAt)}) from offer where provider = ?`);
  const [all = 0, again = 0, afterGap = 0] = ((await count.row(provider)) ?? []).map(Number);
  return { all, again, afterGap };
}

/** Notes in one statement that a provider's offers were seen, and records the runs that end because a day is missing. */
export async function seeOffers(
  database: SqlSession,
  provider: number,
  seenAt: number,
  { again, afterGap }: SeenOffers,
): Promise<void> {
  if (again === 0) return;
  if (afterGap > 0) {
    const ended = recordRunsSql(PRICE_RUNS, `from offer where provider = ? and ${isAfterGap(seenAt)}`);
    await database.prepare(ended).run(provider);
  }
  const since = `case when ${PRICE_SINCE} < 0 or ${hasGapSql(String(seenAt), 'offer.seen_at')} then ${seenAt} else ${PRICE_SINCE} end`;
  await database
    .prepare(
      `update offer set seen_at = ${seenAt}, ${PRICE_SINCE} = ${since} where provider = ? and ${isAgain(seenAt)}`,
    )
    .run(provider);
}

/**
 * After an import of an older file than the last, or of one that was imported before: the packages that it has added
 * were not seen then, if the history has them then or later. Offers whose current run began with that file keep their
 * run.
 */
export async function setBackAdded(database: SqlSession, provider: number, seenAt: number): Promise<void> {
  const isSame = HISTORY_KEY_COLUMNS.map((column) => `run.${column} = offer.${column}`).join(' and ');
  await database
    .prepare(
      `update offer set ${PRICE_SINCE} = ${SET_BACK} where provider = ? and ${PRICE_SINCE} = ? and seen_at = ? and exists (
        select 1 from ${PRICE_RUNS.table} as run where ${isSame} and coalesce(run.last_seen_at, run.seen_at) >= ?)`,
    )
    .run(provider, seenAt, seenAt, seenAt);
}
