import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

/**
 * A map that need not fit in memory: a table of JSON in the import's own database, with a cache of `max` values
 * in front.
 */
export function localMap<V extends {}>(local: DatabaseSync, table: string, max: number) {
  local.exec(`create table ${table} (key text primary key, value text not null) strict, without rowid`);
  const put = local.prepare(
    `insert into ${table} values (?, ?) on conflict do update set value = excluded.value`,
  );
  const find = local.prepare(`select value from ${table} where key = ?`);
  const every = local.prepare(`select value from ${table}`);
  // Unlike `max`, this reserves no memory, which small feeds would not use.
  const cached = new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1 });
  const parsed = (value: unknown) => JSON.parse(String(value)) as V;
  return {
    get(key: string): V | undefined {
      const known = cached.get(key);
      if (known !== undefined) return known;
      const found = find.get(key);
      if (found === undefined) return undefined;
      const value = parsed(found.value);
      cached.set(key, value);
      return value;
    },
    set(key: string, value: V): void {
      put.run(key, JSON.stringify(value));
      cached.set(key, value);
    },
    *values(): Iterable<V> {
      for (const { value } of every.iterate()) yield parsed(value);
    },
  };
}
