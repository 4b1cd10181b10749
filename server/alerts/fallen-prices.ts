import * as v from 'valibot';
import { dayNumber } from '../../domain/calendar-date.ts';
import type { Pence } from '../../domain/money.ts';
import { type PriceSteps, stepsAfter } from '../../domain/price-steps.ts';
import type { SqlDatabase, SqlTag } from '../storage/sql-database.ts';
import type { KnownPackage } from './known-packages.ts';
import { resortKey } from './watches.ts';

/** The steps of a price's past as they are kept. */
export const keptSteps = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ price: v.number(), at: v.number(), until: v.nullable(v.number()) })),
);

/** Notes a price change of a package that may be watched; gives its steps. None: it is at its highest price. */
export function notePriceChange(
  sql: SqlTag,
  { offer, was, at }: { offer: KnownPackage; was: Pence; at: number },
): PriceSteps {
  const { itemKey, price } = offer;
  const kept = sql.get`select steps from alert_fallen_price where item_key = ${itemKey}`?.steps;
  const steps = stepsAfter(kept === undefined ? [] : v.parse(keptSteps, kept), { was, price, at });
  if (steps.length === 0) {
    if (kept !== undefined) sql.run`delete from alert_fallen_price where item_key = ${itemKey}`;
  } else if (kept === undefined) {
    sql.run`insert into alert_fallen_price
        (item_key, resort, nights, party, departure_day, airport, board, half_stars, steps)
      values (${itemKey}, ${resortKey(offer)}, ${offer.nights}, ${offer.party}, ${dayNumber(offer.departure)},
        ${offer.airport}, ${offer.board}, ${offer.halfStars}, ${JSON.stringify(steps)})`;
  } else {
    sql.run`update alert_fallen_price set steps = ${JSON.stringify(steps)}, half_stars = ${offer.halfStars}
      where item_key = ${itemKey}`;
  }
  return steps;
}

/** Nobody watches these packages: their past does not matter. */
export function forgetPrices(database: SqlDatabase, itemKeys: readonly string[]): void {
  if (itemKeys.length === 0) return;
  database.prepare(`delete from alert_fallen_price where ${database.anyOf('item_key')}`).run(itemKeys);
}
