import { boundedCache } from '../lib/bounded-cache.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** New values of some numbers: in a table, because a feed may change millions. */
export interface ChangedNumbers {
  set(number: number, now: number): void;
  /** null: not changed. */
  of(number: number): number | null;
  isAny(): boolean;
  /** How many are in memory. */
  held(): number;
}

/** `table` is created in `database`. The cache holds at most twice `most` numbers. */
export function changedNumbers(database: SqlDatabase, table: string, most: number): ChangedNumbers {
  database.exec(`create table ${table} (number integer primary key, now integer not null) strict`);
  const put = database.prepare(
    `insert into ${table} values (?, ?) on conflict do update set now = excluded.now`,
  );
  const find = database.prepare(`select now from ${table} where number = ?`);
  const cache = boundedCache<number, number | null>(most);
  let isAny = false;
  return {
    set(number, now) {
      put.run(number, now);
      cache.set(number, now);
      isAny = true;
    },
    of(number) {
      if (!isAny) return null;
      const held = cache.get(number);
      if (held !== undefined) return held;
      const [now] = find.row(number) ?? [];
      const found = now === undefined ? null : Number(now);
      cache.set(number, found);
      return found;
    },
    isAny: () => isAny,
    held: () => cache.size,
  };
}
