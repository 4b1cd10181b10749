import { HISTORY_KEY_COLUMNS } from '../price-history/history-key.ts';
import type { OfferRow } from './inventory.ts';
import { jsonRows } from './json-rows.ts';
import { KEY_COLUMNS, OFFER_COLUMNS, SEEN_AGAIN_AFTER, VALUE_COLUMNS } from './offer-columns.ts';
import type { OfferTable, OfferTableOptions } from './offer-table.ts';
import type { SqlDatabase } from './sql-database.ts';

/**
 * Offers in PostgreSQL. One statement writes a whole batch, observes what is new in it and gives the offers whose
 * price it changed, as they were: all parts of a statement see the store as it was before.
 */
export function postgresOfferTable(database: SqlDatabase, { firstSightings }: OfferTableOptions): OfferTable {
  const statement = database.prepare(writeSql(firstSightings));
  const remove = database.prepare(`delete from offer using json_populate_recordset(null::offer, ?) as gone
    where ${KEY_COLUMNS.map((column) => `offer.${column} = gone.${column}`).join(' and ')}`);
  return {
    write(offers) {
      const given = new Map(offers.map((offer) => [keyOf(offer), offer]));
      const old = new Map(
        statement.rows(jsonRows(OFFER_COLUMNS, given.values())).map((row) => {
          const offer = row as unknown as OfferRow;
          return [keyOf(offer), offer];
        }),
      );
      if (old.size === 0) return [];
      return [...given].flatMap(([key, offer]) => {
        const was = old.get(key);
        return was === undefined ? [] : [{ old: was, new: offer }];
      });
    },
    remove(keys) {
      if (keys.length > 0) remove.run(jsonRows(KEY_COLUMNS, keys));
    },
  };
}

/**
 * Given and held offers meet once: joining the two again would compare each with each, since the planner can not
 * know how many there are.
 */
function writeSql(firstSightings: boolean): string {
  const keys = KEY_COLUMNS.join(', ');
  const assignments = VALUE_COLUMNS.map((column) => `${column} = excluded.${column}`);
  const values = VALUE_COLUMNS.filter((column) => column !== 'seen_at');
  const historyKeys = HISTORY_KEY_COLUMNS.join(', ');
  const sightings = `, seen as (
      insert into price_observation (${historyKeys}, seen_at, price)
      select ${historyKeys}, seen_now, price_now from met where price is null
      on conflict do nothing
    )`;
  return `with given as materialized (
      select * from json_populate_recordset(null::offer, ?)
    ), met as materialized (
      select ${keys}, ${VALUE_COLUMNS.map((column) => `offer.${column}`).join(', ')},
        given.price as price_now, given.seen_at as seen_now
      from given left join offer using (${keys})
    ), written as (
      insert into offer (${OFFER_COLUMNS.join(', ')}) select ${OFFER_COLUMNS.join(', ')} from given
      on conflict (${keys}) do update set ${assignments.join(', ')}
      where (${values.map((column) => `offer.${column}`).join(', ')})
        is distinct from (${values.map((column) => `excluded.${column}`).join(', ')})
        or excluded.seen_at >= offer.seen_at + ${SEEN_AGAIN_AFTER}
    )${firstSightings ? sightings : ''}
    select ${OFFER_COLUMNS.join(', ')} from met where price <> price_now`;
}

/** A batch that names an offer twice means the later. */
function keyOf(offer: OfferRow): string {
  return offer.slice(0, KEY_COLUMNS.length).join();
}
