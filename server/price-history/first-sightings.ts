import type { DatabaseSync } from 'node:sqlite';
import { HISTORY_KEY_COLUMNS } from './history-key.ts';

/**
 * From now on this connection writes every new offer's price down as an observation: how long a price has stood
 * is known only from when it was first seen. The store's own trigger does it, in the offer's transaction.
 */
export function observeFirstSightings(database: DatabaseSync): void {
  const columns = [...HISTORY_KEY_COLUMNS, 'seen_at', 'price'];
  database.exec(`
    create temp trigger offer_first_seen after insert on main.offer
    begin
      insert or ignore into price_observation (${columns.join(', ')})
      values (${columns.map((column) => `new.${column}`).join(', ')});
    end;
  `);
}
