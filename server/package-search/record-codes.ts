import { boundedCache } from '../lib/bounded-cache.ts';
import type { RowReader } from '../storage/sql-database.ts';

/** Reads what feeds call records. A missing record has no entry. */
export interface ReadCodes {
  /** Each hotel's code, followed by the code of the provider that uses it: unique and independent of ids. */
  hotelKeys(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  roomCodes(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** Texts of each kind that are cached; at most twice as many. */
const CACHED_CODES = 50_000;

/** No code has a line break. */
const HOTEL_KEYS = `select hotel.id, hotel.code || '\n' || coalesce(provider.code, '')
  from hotel left join provider on provider.id = hotel.provider`;

const ROOM_CODES = 'select id, code from room';

/** Codes cached for all versions of a store's dictionaries: a code never changes, and an id is never used twice. */
export function recordCodes(): (reader: RowReader) => ReadCodes {
  const hotelKeys = cachedTexts(HOTEL_KEYS, 'hotel.id');
  const roomCodes = cachedTexts(ROOM_CODES, 'id');
  return (reader) => ({
    hotelKeys: (ids) => hotelKeys(reader, ids),
    roomCodes: (ids) => roomCodes(reader, ids),
  });
}

type ReadTexts = (reader: RowReader, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

function cachedTexts(sql: string, idColumn: string): ReadTexts {
  const cache = boundedCache<number, string>(CACHED_CODES);
  return async ({ rows, anyOf }, ids) => {
    const texts = new Map<number, string>();
    const missing = ids.filter((id) => {
      const cached = cache.get(id);
      if (cached !== undefined) texts.set(id, cached);
      return cached === undefined;
    });
    if (missing.length === 0) return texts;
    for (const [id, text] of await rows(`${sql} where ${anyOf(idColumn)}`, [missing])) {
      cache.set(Number(id), String(text));
      texts.set(Number(id), String(text));
    }
    return texts;
  };
}
