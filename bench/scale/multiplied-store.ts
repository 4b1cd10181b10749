import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
import { departureMonths, fillMonth } from '../../server/inventory/tables/fill-price-blocks.ts';
import { databasePath, openDatabase } from '../../server/storage/open/database.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';

export interface StoreProgress {
  done: number;
  of: number;
  what: string;
}

/**
 * Makes a store with `times` as many packages and hotels as another, in the same resorts, on the same days
 * and from the same airports, at other prices. Writes offers in key order; `fillStore` then writes the price
 * blocks.
 */
export function multiplyOffers(
  from: string,
  to: string,
  times: number,
  onProgress: (progress: StoreProgress) => void,
): number {
  mkdirSync(to, { recursive: true });
  copyFileSync(databasePath(from), databasePath(to));
  const connection = new DatabaseSync(databasePath(to));
  // No write-ahead log, because it would grow to the size of the store. After a crash, run the benchmark again.
  connection.exec(`pragma journal_mode = delete; pragma synchronous = off; pragma cache_size = -262144;
    attach '${databasePath(from)}' as source; begin;
    delete from price_block; delete from offer`);
  const hotels = Number(connection.prepare('select max(id) as most from source.hotel').get()?.most);
  const copies = Array.from({ length: times }, (_, nth) => `(${nth})`).join(', ');
  connection.exec(`create temp table copy (nth integer primary key); insert into copy values ${copies}`);
  connection.exec(`insert into hotel (id, code, name, resort, half_stars, consumer_rating, latitude, longitude, provider)
    select id + ${hotels} * nth, code || '-' || nth, name || ' ' || (nth + 1), resort, half_stars, consumer_rating,
      latitude, longitude, provider from source.hotel cross join temp.copy where nth > 0`);
  const insert = connection.prepare(`insert into offer (${OFFER_COLUMNS.join(', ')})
    select ${OFFER_COLUMNS.map(copied(hotels)).join(', ')} from source.offer cross join temp.copy
    where departure_day = ? order by ${KEY_COLUMNS.map((_, at) => at + 1).join(', ')}`);
  const days = connection
    .prepare('select distinct departure_day as day from source.offer order by 1')
    .all()
    .map(({ day }) => Number(day));
  let offers = 0;
  for (const [nth, day] of days.entries()) {
    offers += Number(insert.run(day).changes);
    onProgress({ done: nth + 1, of: days.length, what: 'days of offers' });
  }
  connection.exec('commit');
  connection.close();
  return offers;
}

/** Writes the price blocks of a store's offers. */
export async function fillStore(
  dataDir: string,
  onProgress: (progress: StoreProgress) => void,
): Promise<void> {
  const database = await openDatabase(embeddedStore(dataDir));
  const { first, last } = (await departureMonths(database)) ?? { first: 0, last: -1 };
  for (let month = first; month <= last; month += 1) {
    await database.write('price blocks', (tx) => fillMonth(tx, month));
    onProgress({ done: month - first + 1, of: last - first + 1, what: 'months of prices by day' });
  }
  await database.close();
}

/** The SQL expression for a copied column: another hotel, and a price that differs by up to a fifth. */
function copied(hotels: number): (column: string) => string {
  return (column) => {
    if (column === 'hotel') return `hotel + ${hotels} * nth`;
    if (column === 'price') return 'price + price * ((hotel * 7919 + nth * 104729) % 200) / 1000';
    return column;
  };
}

export function hasStore(dataDir: string): boolean {
  return existsSync(databasePath(dataDir));
}
