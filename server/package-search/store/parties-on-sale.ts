import { dayNumber, todayInLondon } from '../../../domain/calendar-date.ts';
import { firstDayOfMonth, monthOfDay } from '../../../domain/month.ts';
import { compareParties, isSearchableParty, type Party } from '../../../domain/party.ts';
import { numbersBetween } from '../../lib/numbers-between.ts';
import { overloadIn } from '../../lib/overloaded.ts';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import type { RowReader } from '../../storage/sql-database.ts';

const MS_A_MINUTE = 60_000;

/** How long the parties are cached; an import or a load can add some. */
const LIFETIME_MS = 60_000;

/** The next party, stay and month with prices. Reads only the first columns of the blocks' key. */
const NEXT_BLOCK = `select party, nights, month from price_block
  where (party, nights, month) > (?, ?, ?) and month >= ? order by party, nights, month limit 1`;

type Place = readonly [party: number, nights: number, month: number];

const START: Place = [0, 0, 0];

/** A number of nights that no stay has and both engines can compare. */
const BEYOND_EVERY_STAY = 32_767;

/**
 * The parties that a search can find a package for, the smallest first. Walks the price blocks from party to
 * party, because the dictionary may have thousands of parties without packages.
 */
export async function readPartiesOnSale(reader: RowReader, nowMs: number): Promise<Party[]> {
  const tomorrow = dayNumber(todayInLondon(nowMs)) + 1;
  const parties = await readParties(reader);
  const sold: Party[] = [];
  let place = await placeAfter(reader, START, tomorrow);
  while (place !== null) {
    const [id] = place;
    const party = parties.get(id);
    const isSold = party !== undefined && (await isOnSale(reader, place, tomorrow, nowMs));
    if (isSold) sold.push(party);
    const isDone = isSold || party === undefined;
    place = await placeAfter(reader, isDone ? [id, BEYOND_EVERY_STAY, 0] : place, tomorrow);
  }
  return sold.sort(compareParties);
}

/** The parties that can be searched for, by id. */
async function readParties({ rows }: RowReader): Promise<Map<number, Party>> {
  const all = await rows('select id, adults, children, infants from party', []);
  const parties = (all as [number, number, number, number][]).map(
    ([id, adults, children, infants]) => [id, { adults, children, infants }] as const,
  );
  return new Map(parties.filter(([, party]) => isSearchableParty(party)));
}

async function placeAfter({ rows }: RowReader, last: Place, tomorrow: number): Promise<Place | null> {
  const [next] = await rows(NEXT_BLOCK, [...last, monthOfDay(tomorrow)]);
  return next === undefined ? null : (next as unknown as Place);
}

async function isOnSale(
  { rows, anyOf }: RowReader,
  [party, nights, month]: Place,
  tomorrow: number,
  nowMs: number,
): Promise<boolean> {
  const days = numbersBetween(Math.max(tomorrow, firstDayOfMonth(month)), firstDayOfMonth(month + 1) - 1);
  const found = await rows(
    `select 1 from offer where ${anyOf('departure_day')} and nights = ? and party = ? and expires_at > ? limit 1`,
    [days, nights, party, Math.floor(nowMs / MS_A_MINUTE)],
  );
  return found.length > 0;
}

/**
 * The parties as last read: empty, which means two adults only, until the first reading. Rereads them in the
 * background when they are older than a minute, because a reading may take seconds.
 */
export function cachedPartiesOnSale(
  read: (nowMs: number) => Promise<Party[]>,
  now: () => number,
  onFailure: (error: unknown) => void,
): () => readonly Party[] {
  let known: readonly Party[] = [];
  let staleAt = Number.NEGATIVE_INFINITY;

  async function reread(): Promise<void> {
    const at = now();
    staleAt = Number.POSITIVE_INFINITY;
    try {
      known = await read(at);
      staleAt = at + LIFETIME_MS;
    } catch (error) {
      // The next caller tries again.
      staleAt = at;
      if (!isStoreUnavailable(error) && overloadIn(error) === null) onFailure(error);
    }
  }

  return () => {
    if (now() >= staleAt) void reread();
    return known;
  };
}
