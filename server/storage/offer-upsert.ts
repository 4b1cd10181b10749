import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OfferRow } from './inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS, VALUE_COLUMNS } from './offer-columns.ts';

/** Rows that one statement carries: beyond this, binding costs more than calling. */
const ROWS_A_STATEMENT = 50;

/** An offer seen again unchanged has only its `seen_at` written, at most this often, in minutes. */
const SEEN_AGAIN_AFTER = 12 * 60;

/** Writes offers inside the caller's transaction; rows that change nothing are left alone. */
export interface OfferUpsert {
  write(offers: readonly OfferRow[]): void;
}

export function prepareOfferUpsert(database: DatabaseSync): OfferUpsert {
  const many = database.prepare(upsertSql(ROWS_A_STATEMENT));
  const one = database.prepare(upsertSql(1));
  return {
    write(offers) {
      const full = offers.length - (offers.length % ROWS_A_STATEMENT);
      for (let at = 0; at < full; at += ROWS_A_STATEMENT) {
        run(many, offers.slice(at, at + ROWS_A_STATEMENT));
      }
      for (const offer of offers.slice(full)) run(one, [offer]);
    },
  };
}

function run(statement: StatementSync, offers: readonly OfferRow[]): void {
  statement.run(...offers.flat());
}

function upsertSql(rows: number): string {
  const row = `(${OFFER_COLUMNS.map(() => '?').join(',')})`;
  const assignments = VALUE_COLUMNS.map((column) => `${column} = excluded.${column}`);
  const changes = VALUE_COLUMNS.filter((column) => column !== 'seen_at').map(
    (column) => `offer.${column} is not excluded.${column}`,
  );
  return `insert into offer (${OFFER_COLUMNS.join(', ')})
    values ${Array.from({ length: rows }, () => row).join(',')}
    on conflict (${KEY_COLUMNS.join(', ')}) do update set ${assignments.join(', ')}
    where ${changes.join(' or ')} or excluded.seen_at >= offer.seen_at + ${SEEN_AGAIN_AFTER}`;
}
