import type { OfferRow } from '../storage/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../storage/offer-columns.ts';
import { offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuestion } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { AskStore } from './sqlite-package-repository.ts';

/** A hotel's best rank under the sort, and the first day on which it has it. */
interface Best {
  hotel: number;
  rank: number;
  day: number;
}

const HOTEL = KEY_COLUMNS.indexOf('hotel');

/**
 * A page of hotels, each with its best offer under the sort (ruling 9). Only hotel and rank cross into
 * JavaScript for all that matches, a day at a time; whole rows are read for the page's winners alone.
 */
export function findBestPerHotel(
  ask: AskStore,
  question: PackageQuestion,
  days: readonly number[],
  stays: readonly number[],
): Omit<FoundPage, 'statements'> {
  const best = bestPerHotel(ask, question, days, stays);
  const after = question.after;
  const beyond = after === null ? best : best.filter((one) => isBeyond(one, after));
  const ordered = beyond.toSorted((a, b) => a.rank - b.rank || a.hotel - b.hotel);
  const page = ordered.slice(0, question.limit);
  const last = page.at(-1);
  return {
    offers: page.length === 0 ? [] : readWinners(ask, question, page, stays),
    next: ordered.length > page.length && last !== undefined ? [last.rank, last.hotel] : null,
    count: best.length,
  };
}

function bestPerHotel(
  ask: AskStore,
  question: PackageQuestion,
  days: readonly number[],
  stays: readonly number[],
): Best[] {
  const best = new Map<number, Best>();
  for (const day of days) {
    const { sql, values } = offerConditions(question, [day], stays);
    const rows = ask(`select hotel, ${RANK_SQL[question.sort]} from offer where ${sql}`, values);
    for (const [hotel, rank] of rows as [number, number][]) {
      const known = best.get(hotel);
      if (known === undefined) best.set(hotel, { hotel, rank, day });
      else if (rank < known.rank) {
        known.rank = rank;
        known.day = day;
      }
    }
  }
  return [...best.values()];
}

function isBeyond({ rank, hotel }: Best, [lastRank = 0, lastHotel = 0]: readonly number[]): boolean {
  return rank > lastRank || (rank === lastRank && hotel > lastHotel);
}

/** The winners' whole rows in the winners' order; of a hotel's equals, the first by key. */
function readWinners(
  ask: AskStore,
  question: PackageQuestion,
  winners: readonly Best[],
  stays: readonly number[],
): OfferRow[] {
  const days = [...new Set(winners.map(({ day }) => day))];
  const { sql, values } = offerConditions(question, days, stays);
  const pairs = 'select value ->> 0, value ->> 1 from json_each(?)';
  const rows = ask(
    `select ${OFFER_COLUMNS.join(', ')} from offer where ${sql}
      and (hotel, ${RANK_SQL[question.sort]}) in (${pairs}) order by ${KEY_COLUMNS.join(', ')}`,
    [...values, JSON.stringify(winners.map(({ hotel, rank }) => [hotel, rank]))],
  ) as unknown as OfferRow[];
  const firstByHotel = new Map<unknown, OfferRow>();
  for (const row of rows) if (!firstByHotel.has(row[HOTEL])) firstByHotel.set(row[HOTEL], row);
  return winners.map(({ hotel }) => firstByHotel.get(hotel)).filter((row) => row !== undefined);
}
