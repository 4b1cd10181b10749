import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { compareParties, isSearchableParty, type Party } from '../../domain/party.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import type { RowReader } from '../storage/sql-database.ts';

const MS_A_MINUTE = 60_000;

/** How long the parties are assumed to be unchanged, in milliseconds: an import or a load can add some. */
const LIFETIME = 60_000;

/**
 * The parties that a search can find a package for, the smallest first. The dictionary also has parties whose packages
 * have all gone. One package is looked up per party, by the first columns of the key.
 */
export async function readPartiesOnSale({ rows, anyOf }: RowReader, nowMs: number): Promise<Party[]> {
  const [range] = await rows(
    'select (select min(departure_day) from offer), (select max(departure_day) from offer)',
    [],
  );
  const [first, last] = range ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return [];
  const tomorrow = dayNumber(todayInLondon(nowMs)) + 1;
  const from = Math.max(first, tomorrow);
  const days = Array.from({ length: Math.max(0, last - from + 1) }, (_, nth) => from + nth);
  const stays = (await rows('select nights from stay order by nights', [])).map(([nights]) => Number(nights));
  const parties = await rows('select id, adults, children, infants from party', []);
  const sql = `select 1 from offer where ${anyOf('departure_day')} and ${anyOf('nights')} and party = ?
    and expires_at > ? limit 1`;
  const sold: Party[] = [];
  for (const [id, adults, children, infants] of parties as [number, number, number, number][]) {
    const party = { adults, children, infants };
    if (!isSearchableParty(party)) continue;
    const found = await rows(sql, [days, stays, id, Math.floor(nowMs / MS_A_MINUTE)]);
    if (found.length > 0) sold.push(party);
  }
  return sold.sort(compareParties);
}

/**
 * Reads the parties again once a minute. While the store's packages cannot all be read, the last known ones stay; without
 * any the list is empty, which means two adults only, and is not kept.
 */
export function cachedPartiesOnSale(
  read: (nowMs: number) => Promise<Party[]>,
  now: () => number,
): () => Promise<Party[]> {
  let known: Party[] | null = null;
  let latest: { parties: Promise<Party[]>; readAt: number } | null = null;
  return () => {
    const readAt = now();
    if (latest !== null && readAt >= latest.readAt && readAt - latest.readAt < LIFETIME)
      return latest.parties;
    const reading = { parties: read(readAt).then(learn, lastKnown), readAt };
    latest = reading;
    return reading.parties;

    function learn(parties: Party[]): Party[] {
      known = parties;
      return parties;
    }

    function lastKnown(error: unknown): Party[] {
      const isUnavailable = isStoreUnavailable(error);
      if (isUnavailable && known !== null) return known;
      if (latest === reading) latest = null;
      if (isUnavailable) return [];
      throw error;
    }
  };
}
