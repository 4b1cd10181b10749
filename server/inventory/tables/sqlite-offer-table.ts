import type { SqlDatabase, SqlStatement } from '../../storage/sql-database.ts';
import type { OfferRow } from '../inventory.ts';
import {
  hasGapSql,
  IS_OFFER,
  KEY_COLUMNS,
  OFFER_COLUMNS,
  seenAgainSql,
  VALUE_COLUMNS,
} from '../offer-columns.ts';
import type { PriceChange } from '../price-changes.ts';
import type { OfferTable, OfferTableOptions, SightingTable } from './offer-table.ts';

/** Rows in one statement. With more, binding costs more than it saves in calls. */
const ROWS_A_STATEMENT = 50;

/**
 * Offers in the embedded store. Temporary triggers record price changes and sightings, so that a load of new
 * offers, which changes no price, does not pay for finding changes.
 */
export function sqliteOfferTable(database: SqlDatabase, { sightings }: OfferTableOptions): OfferTable {
  if (sightings !== null) recordSightings(database, sightings);
  const takeChanges = recordPriceChanges(database);
  const many = database.prepare(upsertSql(ROWS_A_STATEMENT));
  const one = database.prepare(upsertSql(1));
  const remove = database.prepare(`delete from offer where ${IS_OFFER}`);
  const keepLast = sightings && database.prepare(lastSightingSql(sightings));
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
      for (const key of keys) {
        keepLast?.run(...key);
        remove.run(...key);
      }
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
    where ${changes.join(' or ')} or ${seenAgainSql('excluded.seen_at', 'offer.seen_at')}`;
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

function recordSightings(database: SqlDatabase, { table, keyColumns }: SightingTable): void {
  // 'insert or ignore' would not ignore: in a trigger, the conflict clause of the outer statement applies.
  const insert = (row: 'old' | 'new', gap: 0 | 1) =>
    `insert into ${table} (${[...keyColumns, 'seen_at', 'price', 'after_gap'].join(', ')})
      values (${[...keyColumns, 'seen_at', 'price'].map((column) => `${row}.${column}`).join(', ')}, ${gap})
      on conflict do nothing;`;
  database.exec(`
    create temp trigger offer_first_seen after insert on main.offer
    begin
      ${insert('new', 1)}
    end;
    create temp trigger offer_seen_after_gap after update of seen_at on main.offer
    when new.price = old.price and ${hasGapSql('new.seen_at', 'old.seen_at')}
    begin
      ${insert('old', 0)}
      ${insert('new', 1)}
    end;
  `);
}

function lastSightingSql({ table, keyColumns }: SightingTable): string {
  const columns = [...keyColumns, 'seen_at', 'price'].join(', ');
  return `insert or ignore into ${table} (${columns}) select ${columns} from offer where ${IS_OFFER}`;
}

function columnsOf(table: string): string {
  return OFFER_COLUMNS.map((column) => `${table}.${column}`).join(', ');
}
