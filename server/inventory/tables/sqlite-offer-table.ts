import type { SqlSession, SqlStatement } from '../../storage/sql-database.ts';
import type { OfferRow } from '../inventory.ts';
import {
  IS_OFFER,
  KEY_COLUMNS,
  OFFER,
  OFFER_COLUMNS,
  PRICE_SINCE,
  seenAgainSql,
  VALUE_COLUMNS,
} from '../offer-columns.ts';
import type { PriceChange } from '../price-changes.ts';
import type { OfferTable, OfferTableOptions, PriceRunTable } from './offer-table.ts';
import { endsRunSql, priceSinceSql, recordRunsSql } from './price-runs.ts';

/** Rows per statement. Larger statements cost more to bind than they save in calls. */
const ROWS_A_STATEMENT = 50;

/** Offers in the embedded store. Temporary triggers record price changes and ended runs. */
export async function sqliteOfferTable(tx: SqlSession, { runs }: OfferTableOptions): Promise<OfferTable> {
  if (runs !== null) await recordEndedRuns(tx, runs);
  const takeChanges = await recordPriceChanges(tx);
  const many = tx.prepare(upsertSql(ROWS_A_STATEMENT, runs));
  const one = tx.prepare(upsertSql(1, runs));
  const remove = tx.prepare(`delete from offer where ${IS_OFFER}`);
  const keepRun = runs && tx.prepare(recordRunsSql(runs, `from offer where ${IS_OFFER}`));
  const write = (statement: SqlStatement, offers: readonly OfferRow[]) =>
    statement.run(...offers.flatMap((offer) => [...offer, runs === null ? 0 : offer[OFFER.seenAt]]));
  return {
    async write(offers) {
      const full = offers.length - (offers.length % ROWS_A_STATEMENT);
      for (let at = 0; at < full; at += ROWS_A_STATEMENT) {
        await write(many, offers.slice(at, at + ROWS_A_STATEMENT));
      }
      for (const offer of offers.slice(full)) await write(one, [offer]);
      return takeChanges();
    },
    async remove(keys) {
      for (const key of keys) {
        await keepRun?.run(...key);
        await remove.run(...key);
      }
    },
  };
}

function upsertSql(rows: number, runs: PriceRunTable | null): string {
  const columns = [...OFFER_COLUMNS, PRICE_SINCE];
  const row = `(${columns.map(() => '?').join(',')})`;
  const assignments = VALUE_COLUMNS.map((column) => `${column} = excluded.${column}`);
  if (runs !== null) assignments.push(`${PRICE_SINCE} = ${priceSinceSql('excluded', 'offer')}`);
  const changes = VALUE_COLUMNS.filter((column) => column !== 'seen_at').map(
    (column) => `offer.${column} is distinct from excluded.${column}`,
  );
  return `insert into offer (${columns.join(', ')})
    values ${Array.from({ length: rows }, () => row).join(',')}
    on conflict (${KEY_COLUMNS.join(', ')}) do update set ${assignments.join(', ')}
    where ${changes.join(' or ')} or ${seenAgainSql('excluded.seen_at', 'offer.seen_at')}`;
}

/** Records this connection's price changes. The returned function takes those since its last call. */
async function recordPriceChanges(tx: SqlSession): Promise<() => Promise<PriceChange[]>> {
  const old = OFFER_COLUMNS.map((column) => `old.${column}`).join(', ');
  await tx.exec(`
    create temp table if not exists price_change as select ${OFFER_COLUMNS.join(', ')} from offer limit 0;
    create temp trigger if not exists offer_price_changed after update of price on main.offer when new.price <> old.price
    begin
      insert into price_change values (${old});
    end;
  `);
  const countRecorded = tx.prepare('select count(*) from temp.price_change');
  const changes = tx.prepare(`select ${columnsOf('was')}, ${columnsOf('offer')}
    from temp.price_change as was join offer using (${KEY_COLUMNS.join(', ')}) order by was.rowid`);
  const clear = tx.prepare('delete from temp.price_change');
  return async () => {
    if ((await countRecorded.row())?.[0] === 0) return [];
    const rows = await changes.rows();
    await clear.run();
    return rows.map((row) => ({
      old: row.slice(0, OFFER_COLUMNS.length) as unknown as OfferRow,
      new: row.slice(OFFER_COLUMNS.length) as unknown as OfferRow,
    }));
  };
}

async function recordEndedRuns(tx: SqlSession, runs: PriceRunTable): Promise<void> {
  // Without this condition, SQLite would read 'on conflict' as part of the select.
  await tx.exec(`
    create temp trigger if not exists offer_run_ended after update of price, seen_at on main.offer
    when ${endsRunSql('new', 'old')}
    begin
      ${recordRunsSql(runs, 'where true', 'old')};
    end;
  `);
}

function columnsOf(table: string): string {
  return OFFER_COLUMNS.map((column) => `${table}.${column}`).join(', ');
}
