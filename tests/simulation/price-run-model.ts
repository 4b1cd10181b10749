import type { DatabaseSync } from 'node:sqlite';
import { machine } from './machine.ts';
import { Violation } from './sale-model.ts';

/** A package's price, and in minutes since 1970 when it was last seen; `since`: when its run began, or at most 0. */
interface Sighting {
  key: string;
  price: number;
  seenAt: number;
  since: number;
}

/** A period in which a package was seen at one price. */
interface Run {
  from: number;
  to: number;
  price: number;
}

/** Each price that the store has had is in one run: in the price history, or the offer's own. Runs do not overlap. */
export function priceRunModel() {
  let last = new Map<string, Sighting>();
  /**
   * Runs, by key and beginning, that others may overlap: those that ended with a price check made after the file that
   * brought the package back, and those seen while the clock was ahead.
   */
  const contested = new Set<string>();

  function compare(
    key: string,
    was: Sighting | undefined,
    is: Sighting | undefined,
    runs: Run[],
    isCheck: (minute: number) => boolean,
  ): void {
    if (was === undefined && is !== undefined && is.since > 0)
      for (const { from, to } of runs)
        if (to > is.since && isCheck(to)) contested.add(`${key} ${from}`).add(`${key} ${is.since}`);
    if (is !== undefined && is.since > 0) runs.push({ from: is.since, to: is.seenAt, price: is.price });
    if (is !== undefined && is.seenAt * 60_000 > machine.trueNow()) contested.add(`${key} ${is.since}`);
    runs.sort((one, other) => one.from - other.from || one.to - other.to);
    const where = (run: Run | Sighting) => `${key}: ${JSON.stringify(run)} ${JSON.stringify(runs)}`;
    for (const [nth, run] of runs.entries()) {
      if (run.from > run.to) throw new Violation(`A price run ends before it begins: ${where(run)}`);
      const next = runs[nth + 1];
      if (next === undefined || next.from >= run.to) continue;
      if (![run, next].some(({ from }) => contested.has(`${key} ${from}`)))
        throw new Violation(`Price runs overlap: ${where(run)}`);
    }
    const isSetBack = is !== undefined && was !== undefined && is.seenAt < was.seenAt;
    if (was === undefined || was.since <= 0 || (isSetBack && is.price === was.price)) return;
    const isIn = ({ from, to, price }: Run) =>
      from <= was.seenAt && was.seenAt <= to && (price === was.price || from === was.seenAt);
    if (!runs.some(isIn)) throw new Violation(`No price run has what was seen: ${where(was)}`);
  }

  return (store: DatabaseSync): void => {
    const offers = store.prepare(
      'select departure_day, party, hotel, price, seen_at, price_since from offer',
    );
    const history =
      store.prepare(`select seen_at as "from", last_seen_at as "to", price from price_observation
      where departure_day = ? and nights = 7 and party = ? and hotel = ?`);
    const check = store.prepare('select 1 from site_visit where is_check = 1 and visited_at = ?');
    const isCheck = (minute: number) => check.get(minute) !== undefined;
    const now = new Map<string, Sighting>();
    for (const row of offers.all()) {
      const key = [row.departure_day, row.party, row.hotel].map(Number).join(' ');
      const [price, seenAt, since] = [row.price, row.seen_at, row.price_since].map(Number);
      now.set(key, { key, price, seenAt, since } as Sighting);
    }
    for (const key of new Set([...last.keys(), ...now.keys()])) {
      const [was, is] = [last.get(key), now.get(key)];
      if (was?.price === is?.price && was?.seenAt === is?.seenAt && was?.since === is?.since) continue;
      const runs = history.all(...key.split(' ').map(Number)) as unknown as Run[];
      compare(key, was, is, runs, isCheck);
    }
    last = now;
  };
}
