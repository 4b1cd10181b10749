import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { readReferenceTables } from '../inventory/tables/reference-tables.ts';
import { batchesOf } from '../lib/batches.ts';
import { type HotelPricePath, writePricePaths } from '../price-history/price-path-table.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';
import { marketOf } from './country-markets.ts';
import { simulatePricePath } from './simulate-price-path.ts';

/** Days of generated price history. */
export const SAMPLE_HISTORY_DAYS = 90;

/** For how many months departures are on sale. */
const MONTHS_ON_SALE = 19;

/** Increment this if the same seed generates a different history. */
const HISTORY_VERSION = 1;

const NOTE = 'price_history.sample';

/** Paths per transaction. Few, because clicks and sign-ups wait for the embedded store's write lock. */
const TOGETHER = 5_000;

/**
 * Writes the sample's missing price history up to `today`: a path of 90 days per hotel and departure month.
 * Removes another seed's observations and models. Uses several transactions; after an interruption, starts
 * again.
 */
export async function writeSampleHistory(database: SqlDatabase, seed: number, today: number): Promise<void> {
  const name = `${HISTORY_VERSION}:${seed}`;
  const isSameSeed = (await readNote(database, NOTE)) === name;
  const lastDay = Number(
    (await database.prepare('select min(last_day) as day from price_path').get())?.day ?? 0,
  );
  if (isSameSeed && lastDay >= today) return;
  const { hotels, resorts, regions, countries } = await readReferenceTables(database);
  const countryName = new Map(countries.map(({ id, name: country }) => [id, country]));
  const marketOfRegion = new Map(
    regions.map(({ id, country, name: region }) => [id, marketOf(countryName.get(country) ?? '', region)]),
  );
  const regionOf = new Map(resorts.map(({ id, region }) => [id, region]));
  const month = monthOfDay(today);

  function* paths(): Generator<HotelPricePath> {
    for (const hotel of hotels) {
      const market = marketOfRegion.get(regionOf.get(hotel.resort) ?? 0);
      if (market === undefined) continue;
      for (let departureMonth = month; departureMonth < month + MONTHS_ON_SALE; departureMonth += 1) {
        const key = { hotel: hotel.id, monthStart: firstDayOfMonth(departureMonth), curve: market.curve };
        const levels = simulatePricePath(seed, key, today - SAMPLE_HISTORY_DAYS, today);
        yield { hotel: hotel.id, departureMonth, lastDay: today, levels };
      }
    }
  }

  const written = (work: (tx: SqlSession) => Promise<void>) => database.write('history', work);
  if (!isSameSeed)
    await written((tx) =>
      tx.exec('delete from price_path; delete from price_observation; delete from price_model'),
    );
  for (const some of batchesOf(paths(), TOGETHER)) await written((tx) => writePricePaths(tx, some));
  await written(async (tx) => {
    await tx.sql.run`delete from price_path where departure_month < ${month}`;
    await writeNote(tx, NOTE, name);
  });
}
