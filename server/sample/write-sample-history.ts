import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { readReferenceTables } from '../inventory/tables/reference-tables.ts';
import { type OwnedPath, writePricePaths } from '../price-history/price-path-table.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { marketOf } from './country-markets.ts';
import { marketPath } from './market-path.ts';

/** How far back the sample market's invented past goes. */
export const SAMPLE_HISTORY_DAYS = 90;

/** Months of departures that the sample sells. */
const MONTHS = 19;

/** Raised whenever the same seed makes another past. */
const VERSION = 1;

const NOTE = 'price_history.sample';

/**
 * Gives the sample market its past: a path of 90 days for each hotel and month of departures, 180 bytes each.
 * A store that has this seed's past gets no other; another sample's observations and models are removed.
 */
export function writeSampleHistory(database: SqlDatabase, seed: number, today: number): void {
  const name = `${VERSION}:${seed}`;
  if (readNote(database, NOTE) === name) return;
  const { hotels, resorts, regions, countries } = readReferenceTables(database);
  const countryName = new Map(countries.map(({ id, name: country }) => [id, country]));
  const marketOfRegion = new Map(
    regions.map(({ id, country, name: region }) => [id, marketOf(countryName.get(country) ?? '', region)]),
  );
  const regionOf = new Map(resorts.map(({ id, region }) => [id, region]));
  const month = monthOfDay(today);

  function* paths(): Generator<OwnedPath> {
    for (const hotel of hotels) {
      const market = marketOfRegion.get(regionOf.get(hotel.resort) ?? 0);
      if (market === undefined) continue;
      for (let departureMonth = month; departureMonth < month + MONTHS; departureMonth += 1) {
        const owner = { hotel: hotel.id, monthStart: firstDayOfMonth(departureMonth), curve: market.curve };
        const levels = marketPath(seed, owner, today - SAMPLE_HISTORY_DAYS, today);
        yield { hotel: hotel.id, departureMonth, lastDay: today, levels };
      }
    }
  }

  inTransaction(database, () => {
    database.exec(
      'delete from price_path; delete from price_observation; delete from price_index; delete from price_model;',
    );
    writePricePaths(database, paths());
    writeNote(database, NOTE, name);
  });
}
