import { cacheOfBytes, charactersOfText } from '../../lib/memoize.ts';
import type { RowReader } from '../../storage/sql-database.ts';

/** Reads the codes that feeds have for records. A missing record has no entry in the result. */
export interface ReadCodes {
  /** Each hotel's code, followed by its provider's: unique and independent of ids. */
  hotelKeys(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  roomCodes(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** Enough for some 90,000 codes of hotels, and as many of rooms. */
const CACHED_BYTES = 16 * 2 ** 20;

/** A line break separates the codes, because no code has one. */
const HOTEL_KEYS = `select hotel.id, hotel.code || '\n' || coalesce(provider.code, '')
  from hotel left join provider on provider.id = hotel.provider`;

const ROOM_CODES = 'select id, code from room';

/** Codes cached for all versions of the dictionaries: codes never change, ids are never reused. */
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
  const cache = cacheOfBytes<number, string>(CACHED_BYTES, charactersOfText);
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
