import type { SqlDatabase, SqlStatement } from '../../storage/sql-database.ts';
import type { OfferRow } from '../inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS, SEEN_AGAIN_AFTER, VALUE_COLUMNS } from '../offer-columns.ts';
import type { PriceChange } from '../price-changes.ts';
import type { FirstSightingTable, OfferTable, OfferTableOptions } from './offer-table.ts';

/** Rows in one statement. With more, binding costs more than it saves in calls. */
const ROWS_A_STATEMENT = 50;

/**
 * Offers in the embedded store. Temporary triggers record price changes and first sightings, so that a load of new
 * offers, which changes no price, does not pay for finding changes.
 */
export function sqliteOfferTable(database: SqlDatabase, { firstSightings }: OfferTableOptions): OfferTable {
  if (firstSightings !== null) recordFirstSightings(database, firstSightings);
  const takeChanges = recordPriceChanges(database);
  const many = database.prepare(upsertSql(ROWS_A_STATEMENT));
  const one = database.prepare(upsertSql(1));
  const remove = database.prepare(
    `delete from offer where ${KEY_COLUMNS.map((column) => `${column} = ?`).join(' and ')}`,
  );
  return {
    write(offers) {
      const full = offers.length - (offers.length % ROWS_A_STATEMENT);
      for (let at = 0; at < full; at += ROWS_A_STATEMENT) {
        run(many, offers.slice(at, at + ROWS_A_STATEMENT));
      }
      for (const offer of offers.slice(full)) run(one, [offer]);
      return takeChanges();
    },
    remove(keys) {
      for (const key of keys) remove.run(...key);
    },
  };
}

function run(statement: SqlStatement, offers: readonly OfferRow[]): void {
  statement.run(...offers.flat());
}

function upsertSql(rows: number): string {
  const row = `(${OFFER_COLUMNS.map(() => '?').join(',')})`;
  const assignments = VALUE_COLUMNS.map((column) => `${column} = excluded.${column}`);
  const changes = VALUE_COLUMNS.filter((column) => column !== 'seen_at').map(
    (column) => `offer.${column} is distinct from excluded.${column}`,
  );
  return `insert into offer (${OFFER_COLUMNS.join(', ')})
    values ${Array.from({ length: rows }, () => row).join(',')}
    on conflict (${KEY_COLUMNS.join(', ')}) do update set ${assignments.join(', ')}
    where ${changes.join(' or ')} or excluded.seen_at >= offer.seen_at + ${SEEN_AGAIN_AFTER}`;
}

/** Records the price changes that this connection writes from now on. Returns a function that takes them. */
function recordPriceChanges(database: SqlDatabase): () => PriceChange[] {
  const old = OFFER_COLUMNS.map((column) => `old.${column}`).join(', ');
  database.exec(`
    create temp table price_change as select * from offer limit 0;
    create temp trigger offer_price_changed after update of price on main.offer when new.price <> old.price
    begin
      insert into price_change values (${old});
    end;
  `);
  const countRecorded = database.prepare('select count(*) from temp.price_change');
  const changes = database.prepare(`select ${columnsOf('was')}, ${columnsOf('offer')}
    from temp.price_change as was join offer using (${KEY_COLUMNS.join(', ')}) order by was.rowid`);
  const clear = database.prepare('delete from temp.price_change');
  return () => {
    if (countRecorded.row()?.[0] === 0) return [];
    const rows = changes.rows();
    clear.run();
    return rows.map((row) => ({
      old: row.slice(0, OFFER_COLUMNS.length) as unknown as OfferRow,
      new: row.slice(OFFER_COLUMNS.length) as unknown as OfferRow,
    }));
  };
}

function recordFirstSightings(database: SqlDatabase, { table, keyColumns }: FirstSightingTable): void {
  const columns = [...keyColumns, 'seen_at', 'price'];
  database.exec(`
    create temp trigger offer_first_seen after insert on main.offer
    begin
      insert or ignore into ${table} (${columns.join(', ')})
      values (${columns.map((column) => `new.${column}`).join(', ')});
    end;
  `);
}

function columnsOf(table: string): string {
  return OFFER_COLUMNS.map((column) => `${table}.${column}`).join(', ');
}
