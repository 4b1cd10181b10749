import type { Pence } from '../../../domain/money.ts';
import { MissingRecord } from '../../inventory/catalogue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import {
  type PackageLookup,
  type PackageOnSale,
  packageLookup,
  type ReadPackages,
} from '../tables/package-lookup.ts';

/**
 * Where price changes wait, as statements that write in sets name it. `was` is null for an offer that was removed. The
 * columns on which no watch depends, more than half of a row with its link, are left out.
 */
export const PRICE_CHANGES = {
  table: 'alert_price_change',
  batch: 'batch',
  was: 'was',
  columns: [...KEY_COLUMNS, 'price', 'half_stars', 'departure_minute', 'expires_at'],
} as const;

/** The values of an offer in those columns. */
export function waitingColumns(offer: OfferRow): SqlValue[] {
  return WAITING.map((at) => offer[at] ?? null);
}

const WAITING = PRICE_CHANGES.columns.map((column) => OFFER_COLUMNS.indexOf(column));

export interface WaitingChange {
  /** Grows within a batch. */
  id: number;
  /** Null: the offer was removed. */
  was: Pence | null;
  /** Without its link, flights, luggage, price before a discount and time at which it was seen. */
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
  /** Makes those up to `last` ready, which will probably be asked for next. */
  prepare(batch: number, last: number): void;
  close(): void;
}

const COLUMNS = `id, was, ${PRICE_CHANGES.columns.join(', ')}`;

/** Reads the changes when they are asked for, on the caller's connection. */
export function changesByRange(database: SqlDatabase, packages: PackageLookup): WaitingChanges {
  // By ranges of IDs: with a limit instead, PostgreSQL may read and sort the whole batch each time.
  const changes = database.prepare(
    `select ${COLUMNS} from ${PRICE_CHANGES.table} where batch = ? and id between ? and ? order by id`,
  );
  return {
    read: (batch, first, last) => readable(packages.batchReader(), changes.rows(batch, first, last)),
    prepare() {},
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
  let walk: {
    batch: number;
    rows: Iterator<SqlValue[]>;
    next: SqlValue[] | undefined;
    /** Of the batch's beginning: an ID keeps its meaning, and to ask for newer names takes a round trip each time. */
    readPackages: ReadPackages;
    ready: WaitingChange[];
  } | null = null;

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
      `select ${COLUMNS} from ${PRICE_CHANGES.table} where batch = ? order by id`,
    );
    const rows = changes.iterate(batch)[Symbol.iterator]();
    walk = { batch, rows, next: next(rows), readPackages: connected().packages.batchReader(), ready: [] };
    return walk;
  }

  /** The walk of a batch whose changes up to `last` are ready. */
  function preparedUpTo(batch: number, last: number) {
    const current = walkOf(batch);
    const found: SqlValue[][] = [];
    for (; current.next !== undefined && idOf(current.next) <= last; current.next = next(current.rows)) {
      found.push(current.next);
    }
    if (found.length > 0) current.ready.push(...readable(current.readPackages, found));
    return current;
  }

  return {
    read(batch, first, last) {
      const current = preparedUpTo(batch, last);
      const asked = current.ready.filter(({ id }) => id <= last);
      current.ready = current.ready.slice(asked.length);
      // Another process may have settled those before.
      return asked.filter(({ id }) => id >= first);
    },
    prepare: (batch, last) => void preparedUpTo(batch, last),
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

function idOf([id]: readonly SqlValue[]): number {
  return Number(id);
}

function readable(readPackages: ReadPackages, rows: readonly SqlValue[][]): WaitingChange[] {
  const offers = rows.map(offerOf);
  const read = readPackages(offers);
  return offers.flatMap((offer, nth) => {
    const [id, was] = rows[nth] ?? [];
    try {
      return [{ id: Number(id), was: was as Pence | null, offer: read(offer) }];
    } catch (error) {
      if (error instanceof MissingRecord) return [];
      throw error;
    }
  });
}

/** The row of an offer from its columns in `PRICE_CHANGES`. */
function offerOf([, , ...columns]: readonly SqlValue[]): OfferRow {
  const key = columns.slice(0, KEY_COLUMNS.length);
  const [price, halfStars, departureMinute, expiresAt] = columns.slice(KEY_COLUMNS.length);
  return [
    ...key,
    price,
    null,
    halfStars,
    departureMinute,
    0,
    0,
    0,
    expiresAt,
    0,
    null,
  ] as unknown as OfferRow;
}
