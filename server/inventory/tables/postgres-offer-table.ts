import { givenRows } from '../../storage/postgres/unnest-rows.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { OfferRow } from '../inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS, SEEN_AGAIN_AFTER, VALUE_COLUMNS } from '../offer-columns.ts';
import type { FirstSightingTable, OfferTable, OfferTableOptions } from './offer-table.ts';

/**
 * Offers in PostgreSQL. One statement writes a whole batch, records its new offers and returns the old rows of those
 * whose price changed: all parts of a statement see the store as it was before the statement.
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
 * The given offers are joined with the stored ones once; the update then finds its rows by ctid. Only one write
 * transaction is open at a time, so the rows cannot move. A second join would become a nested loop, because the
 * planner does not know how many rows are given.
 */
function writeSql(given: string, firstSightings: FirstSightingTable | null): string {
  const keys = KEY_COLUMNS.join(', ');
  const columns = OFFER_COLUMNS.join(', ');
  const values = VALUE_COLUMNS.filter((column) => column !== 'seen_at');
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
    )${firstSightings === null ? '' : `, seen as (${recordSightingsSql(firstSightings)})`}
    select ${keys}, ${VALUE_COLUMNS.map((column) => `held_${column}`).join(', ')}
    from met where held_price <> price`;
}

function recordSightingsSql({ table, keyColumns }: FirstSightingTable): string {
  const columns = [...keyColumns, 'seen_at', 'price'].join(', ');
  return `insert into ${table} (${columns}) select ${columns} from met where place is null on conflict do nothing`;
}

/** If a batch has an offer twice, the later one counts. */
function keyOf(offer: OfferRow): string {
  return offer.slice(0, KEY_COLUMNS.length).join();
}
