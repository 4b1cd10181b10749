import { givenRows } from '../../storage/postgres/unnest-rows.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { OfferRow } from '../inventory.ts';
import { hasGapSql, KEY_COLUMNS, OFFER_COLUMNS, seenAgainSql, VALUE_COLUMNS } from '../offer-columns.ts';
import type { OfferTable, OfferTableOptions, SightingTable } from './offer-table.ts';

/**
 * Offers in PostgreSQL. One statement writes a whole batch, records its new offers and returns the old rows of those
 * whose price changed: all parts of a statement see the store as it was before the statement.
 */
export function postgresOfferTable(database: SqlDatabase, { sightings }: OfferTableOptions): OfferTable {
  const given = givenRows(database, 'offer', OFFER_COLUMNS);
  const write = database.prepare(writeSql(given.sql, sightings));
  const gone = givenRows(database, 'offer', KEY_COLUMNS);
  const remove = database.prepare(removeSql(gone.sql, sightings));
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
function writeSql(given: string, sightings: SightingTable | null): string {
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
        or ${seenAgainSql('met.seen_at', 'met.held_seen_at')})
    )${sightings === null ? '' : `, seen as (${recordSightingsSql(sightings)})`}
    select ${keys}, ${VALUE_COLUMNS.map((column) => `held_${column}`).join(', ')}
    from met where held_price <> price`;
}

function recordSightingsSql({ table, keyColumns }: SightingTable): string {
  const keys = keyColumns.join(', ');
  const afterGap = `place is not null and held_price = price and ${hasGapSql('seen_at', 'held_seen_at')}`;
  return `insert into ${table} (${keys}, seen_at, price, after_gap)
      select ${keys}, seen_at, price, 1 from met where place is null or (${afterGap})
      union all select ${keys}, held_seen_at, price, 0 from met where ${afterGap}
      on conflict do nothing`;
}

function removeSql(gone: string, sightings: SightingTable | null): string {
  const isGone = KEY_COLUMNS.map((column) => `offer.${column} = given.${column}`).join(' and ');
  const remove = `delete from offer using ${gone} where ${isGone}`;
  if (sightings === null) return remove;
  const columns = [...sightings.keyColumns, 'seen_at', 'price'];
  return `with removed as (${remove} returning ${columns.map((column) => `offer.${column}`).join(', ')})
    insert into ${sightings.table} (${columns.join(', ')}) select ${columns.join(', ')} from removed
    on conflict do nothing`;
}

/** If a batch has an offer twice, the later one counts. */
function keyOf(offer: OfferRow): string {
  return offer.slice(0, KEY_COLUMNS.length).join();
}
