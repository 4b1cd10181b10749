import type { DatabaseSync } from 'node:sqlite';
import type { OfferRow } from './inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from './offer-columns.ts';

/** An offer that was written with another price than it had. A first sighting is no change. */
export interface PriceChange {
  old: OfferRow;
  new: OfferRow;
}

/** Told of a batch's price changes inside the transaction that writes them; what it throws undoes the batch. */
export type PriceChangeListener = (changes: readonly PriceChange[]) => void;

/**
 * Notes the price changes that this connection writes to `offer`, from now on. The store's own trigger does it,
 * so that a load of new offers, which changes no price, pays nothing for it.
 */
export function notePriceChanges(database: DatabaseSync): { take(): PriceChange[] } {
  const old = OFFER_COLUMNS.map((column) => `old.${column}`).join(', ');
  database.exec(`
    create temp table price_change as select * from offer limit 0;
    create temp trigger offer_price_changed after update of price on main.offer when new.price <> old.price
    begin
      insert into price_change values (${old});
    end;
  `);
  const noted = database.prepare('select count(*) from temp.price_change');
  const changes = database.prepare(`select ${columnsOf('was')}, ${columnsOf('offer')}
    from temp.price_change as was join offer using (${KEY_COLUMNS.join(', ')}) order by was.rowid`);
  const forget = database.prepare('delete from temp.price_change');
  noted.setReturnArrays(true);
  changes.setReturnArrays(true);
  return {
    take() {
      const [count] = noted.get() as unknown as [number];
      if (count === 0) return [];
      const rows = changes.all() as unknown as unknown[][];
      forget.run();
      return rows.map((row) => ({
        old: row.slice(0, OFFER_COLUMNS.length) as unknown as OfferRow,
        new: row.slice(OFFER_COLUMNS.length) as unknown as OfferRow,
      }));
    },
  };
}

function columnsOf(table: string): string {
  return OFFER_COLUMNS.map((column) => `${table}.${column}`).join(', ');
}
