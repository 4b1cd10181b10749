import type { Pence } from '../../../domain/money.ts';
import { MissingRecord } from '../../inventory/catalogue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import { type PackageLookup, type PackageOnSale, packageLookup } from '../records/package-lookup.ts';

/**
 * Where price changes wait, as statements that write in sets name it. `was` is null for an offer that was removed. The
 * link, half of a row, is left out, because no watch depends on it.
 */
export const PRICE_CHANGES = {
  table: 'alert_price_change',
  batch: 'batch',
  was: 'was',
  columns: OFFER_COLUMNS.filter((column) => column !== 'link'),
} as const;

export interface WaitingChange {
  /** Null: the offer was removed. */
  was: Pence | null;
  /** Without its link. */
  offer: PackageOnSale;
}

/** Reads the committed changes of a batch, which stay as they are until they are deleted. */
export interface WaitingChanges {
  /**
   * Those with IDs from `first` to `last`. The IDs of a batch may only grow from call to call. Offers whose records were
   * removed since are left out: it happens if an importer was killed, and another one has cleared unused records before
   * the alerts' server came to its changes.
   */
  read(batch: number, first: number, last: number): WaitingChange[];
  close(): void;
}

interface WaitingRow {
  was: Pence | null;
  offer: OfferRow;
}

const COLUMNS = `was, ${PRICE_CHANGES.columns.join(', ')}, null as link`;

/** Reads the changes when they are asked for, on the caller's connection. */
export function changesByRange(database: SqlDatabase, packages: PackageLookup): WaitingChanges {
  // By ranges of IDs: with a limit instead, PostgreSQL may read and sort the whole batch each time.
  const changes = database.prepare(
    `select ${COLUMNS} from ${PRICE_CHANGES.table} where batch = ? and id between ? and ? order by id`,
  );
  return {
    read: (batch, first, last) => readable(packages, changes.rows(batch, first, last).map(rowOf)),
    close() {},
  };
}

/**
 * Reads the changes of large batches in their order, on a connection of its own: the store sends the next ones while the
 * caller settles those before, and they are made into packages while the store still writes those. Their names are looked
 * up on another one, because a question behind rows that are on their way would wait for these.
 */
export function changesReadAhead(open: () => SqlDatabase): WaitingChanges {
  let connections: { changes: SqlDatabase; names: SqlDatabase; packages: PackageLookup } | null = null;
  let walk: { batch: number; rows: Iterator<SqlValue[]>; next: SqlValue[] | undefined } | null = null;

  function connected() {
    if (connections === null) {
      const names = open();
      connections = { changes: open(), names, packages: packageLookup(names) };
    }
    return connections;
  }

  function walkOf(batch: number) {
    if (walk?.batch === batch) return walk;
    walk?.rows.return?.();
    const changes = connected().changes.prepare(
      `select id, ${COLUMNS} from ${PRICE_CHANGES.table} where batch = ? order by id`,
    );
    const rows = changes.iterate(batch)[Symbol.iterator]();
    walk = { batch, rows, next: next(rows) };
    return walk;
  }

  return {
    read(batch, first, last) {
      const current = walkOf(batch);
      const found: WaitingRow[] = [];
      for (; current.next !== undefined; current.next = next(current.rows)) {
        const [id, ...change] = current.next;
        if (Number(id) > last) break;
        // Another process may have settled those before.
        if (Number(id) >= first) found.push(rowOf(change));
      }
      return readable(connected().packages, found);
    },
    close() {
      walk?.rows.return?.();
      connections?.changes.close();
      connections?.names.close();
      walk = null;
      connections = null;
    },
  };
}

function next(rows: Iterator<SqlValue[]>): SqlValue[] | undefined {
  const { value, done } = rows.next();
  return done === true ? undefined : value;
}

function rowOf([was, ...offer]: readonly SqlValue[]): WaitingRow {
  return { was: was as Pence | null, offer: offer as unknown as OfferRow };
}

function readable(packages: PackageLookup, rows: readonly WaitingRow[]): WaitingChange[] {
  const read = packages.readerOf(rows.map(({ offer }) => offer));
  return rows.flatMap(({ was, offer }) => {
    try {
      return [{ was, offer: read(offer) }];
    } catch (error) {
      if (error instanceof MissingRecord) return [];
      throw error;
    }
  });
}
