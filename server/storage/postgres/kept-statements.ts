import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** The most statements whose plans a connection keeps: those used last. Filters combine to any number of texts. */
export const MAX_STATEMENTS = 200;

export interface KeptStatement {
  name: string;
  /** Whether the server has planned it. */
  isPlanned: boolean;
}

const statements = new WeakMap<pg.ClientBase, LRUCache<string, KeptStatement>>();
let lastName = 0;

/** A connection's named statements by text. Planning a statement costs as much as searching. */
export function keptStatements(client: pg.ClientBase): LRUCache<string, KeptStatement> {
  const known = statements.get(client);
  if (known !== undefined) return known;
  const cache = new LRUCache<string, KeptStatement>({
    max: MAX_STATEMENTS,
    memoMethod: () => {
      lastName += 1;
      return { name: `s${lastName}`, isPlanned: false };
    },
    dispose({ name }, _text, reason) {
      // Fails only if the transaction or the connection has failed, which the next statement reports.
      if (reason === 'evict') client.query(`deallocate ${name}`).catch(() => {});
    },
  });
  statements.set(client, cache);
  return cache;
}
