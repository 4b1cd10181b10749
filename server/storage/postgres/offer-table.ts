import { HISTORY_KEY_COLUMNS } from '../../inventory/history-key.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import {
  KEY_COLUMNS,
  OFFER_COLUMNS,
  SEEN_AGAIN_AFTER,
  VALUE_COLUMNS,
} from '../../inventory/offer-columns.ts';
import type { OfferTable, OfferTableOptions } from '../offer-table.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { givenRows } from '../unnest-rows.ts';

/**
 * Offers in PostgreSQL. One statement writes a whole batch, observes what is new in it and gives the offers whose
 * price it changed, as they were: all parts of a statement see the store as it was before.
 */
export function postgresOfferTable(database: SqlDatabase, { firstSightings }: OfferTableOptions): OfferTable {
  const given = givenRows(database, 'offer', OFFER_COLUMNS);
  const write = database.prepare(writeSql(given.sql, firstSightings));
  const gone = givenRows(database, 'offer', KEY_COLUMNS);
  const remove = database.prepare(`delete from offer using ${gone.sql}
    where ${KEY_COLUMNS.map((column) => `offer.${column} = given.${column}`).join(' and ')}`);
  return {
    write(offers) {
      const unique = new Map(offers.map((offer) => [keyOf(offer), offer]));
      const old = new Map(
        write.rows(...given.valuesOf(unique.values())).map((row) => {
          const offer = row as unknown as OfferRow;
          return [keyOf(offer), offer];
        }),
      );
      if (old.size === 0) return [];
      return [...unique].flatMap(([key, offer]) => {
        const was = old.get(key);
        return was === undefined ? [] : [{ old: was, new: offer }];
      });
    },
    remove(keys) {
      if (keys.length > 0) remove.run(...gone.valuesOf(keys));
    },
  };
}

/**
 * Given offers meet the held ones once, and are then changed by where these stand: only one write transaction is
 * open, so nobody moves them meanwhile. Joining anything with anything again would compare each with each, since
 * the planner cannot know how many there are.
 */
function writeSql(given: string, firstSightings: boolean): string {
  const keys = KEY_COLUMNS.join(', ');
  const columns = OFFER_COLUMNS.join(', ');
  const values = VALUE_COLUMNS.filter((column) => column !== 'seen_at');
  const historyKeys = HISTORY_KEY_COLUMNS.join(', ');
  const sightings = `, seen as (
      insert into price_observation (${historyKeys}, seen_at, price)
      select ${historyKeys}, seen_at, price from met where place is null
      on conflict do nothing
    )`;
  return `with met as materialized (
      select ${OFFER_COLUMNS.map((column) => `given.${column}`).join(', ')}, offer.ctid as place,
        ${VALUE_COLUMNS.map((column) => `offer.${column} as held_${column}`).join(', ')}
      from ${given} left join offer using (${keys})
    ), added as (
      insert into offer (${columns}) select ${columns} from met where place is null
    ), changed as (
      update offer set ${VALUE_COLUMNS.map((column) => `${column} = met.${column}`).join(', ')}
      from met where offer.ctid = met.place and (
        (${values.map((column) => `met.${column}`).join(', ')})
          is distinct from (${values.map((column) => `met.held_${column}`).join(', ')})
        or met.seen_at >= met.held_seen_at + ${SEEN_AGAIN_AFTER})
    )${firstSightings ? sightings : ''}
    select ${keys}, ${VALUE_COLUMNS.map((column) => `held_${column}`).join(', ')}
    from met where held_price <> price`;
}

/** A batch that names an offer twice means the later. */
function keyOf(offer: OfferRow): string {
  return offer.slice(0, KEY_COLUMNS.length).join();
}
