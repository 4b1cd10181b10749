import * as v from 'valibot';
import { dayNumber } from '../../../domain/calendar-date.ts';
import type { Pence } from '../../../domain/money.ts';
import { type PriceSteps, stepsAfter } from '../../../domain/price-steps.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import type { KnownPackage } from '../records/package-lookup.ts';
import { resortKey } from '../records/watches.ts';

/** The steps of a price's past as they are kept. */
export const keptSteps = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ price: v.number(), at: v.number(), until: v.nullable(v.number()) })),
);

/** A price change of a package that may be watched, and the price that it had. */
export interface NotedChange {
  offer: KnownPackage;
  was: Pence;
}

/** Notes the price changes of one moment; gives each package's steps. None: it is at its highest price. */
export type NotePriceChanges = (changes: readonly NotedChange[], moment: number) => PriceSteps[];

/** A whole batch is read and written in a few statements, however many changes it has. */
export function priceChangeNoter(database: SqlDatabase): NotePriceChanges {
  const find = database.prepare(
    `select item_key, steps from alert_fallen_price where ${database.anyOf('item_key')}`,
  );
  const columns = [
    'item_key',
    'resort',
    'nights',
    'party',
    'departure_day',
    'airport',
    'board',
    'half_stars',
    'steps',
  ];
  const table = { table: 'alert_fallen_price', columns, keys: ['item_key'], update: ['half_stars', 'steps'] };
  const put = rowInserter(database, table);

  return (changes, moment) => {
    const rows = find.rows(changes.map(({ offer }) => offer.itemKey)) as [string, string][];
    const kept = new Map<string, PriceSteps>(
      rows.map(([itemKey, steps]) => [itemKey, v.parse(keptSteps, steps)]),
    );
    const held = new Set(kept.keys());
    const noted = changes.map(({ offer, was }) => {
      const steps = stepsAfter(kept.get(offer.itemKey) ?? [], { was, price: offer.price, at: moment });
      kept.set(offer.itemKey, steps);
      return steps;
    });
    const offers = new Map(changes.map(({ offer }) => [offer.itemKey, offer]));
    const isFallen = (itemKey: string) => (kept.get(itemKey)?.length ?? 0) > 0;
    put.insert(
      [...offers.values()]
        .filter(({ itemKey }) => isFallen(itemKey))
        .map((offer) => fallenRow(offer, kept.get(offer.itemKey) ?? [])),
    );
    forgetPrices(
      database,
      [...held].filter((itemKey) => !isFallen(itemKey)),
    );
    return noted;
  };
}

function fallenRow(offer: KnownPackage, steps: PriceSteps): SqlValue[] {
  const { itemKey, nights, party, departure, airport, board, halfStars } = offer;
  const day = dayNumber(departure);
  return [itemKey, resortKey(offer), nights, party, day, airport, board, halfStars, JSON.stringify(steps)];
}

/** Nobody watches these packages, or they are at their highest price: their past does not matter. */
export function forgetPrices(database: SqlDatabase, itemKeys: readonly string[]): void {
  if (itemKeys.length === 0) return;
  database.prepare(`delete from alert_fallen_price where ${database.anyOf('item_key')}`).run(itemKeys);
}
