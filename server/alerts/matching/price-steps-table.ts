import * as v from 'valibot';
import type { Pence } from '../../../domain/money.ts';
import { type PriceSteps, stepsAfter } from '../../../domain/price-steps.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';

const COLUMNS = ['item_key', 'departure_day', 'steps'] as const;

/** Price steps as the table stores them: JSON text, each a list of its price, `at` and `until`. */
const storedPriceSteps = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.pipe(
      v.tuple([v.number(), v.number(), v.nullable(v.number())]),
      v.transform(([price, at, until]) => ({ price, at, until })),
    ),
  ),
);

function storedTextOf(steps: PriceSteps): string {
  return JSON.stringify(steps.map(({ price, at, until }) => [price, at, until]));
}

/** A package with the price that it had before. */
export interface RepricedPackage {
  offer: PackageOnSale;
  was: Pence;
}

/**
 * Records price changes at one logical time, those of watched packages: what is stored of others is deleted. Returns each
 * watched package's steps; none mean its highest price. The first call sends the question for what is stored, so that the
 * caller can go on while the store answers; the second one waits for it, and writes.
 */
export type RecordPriceChanges = (
  changes: readonly RepricedPackage[],
) => (watched: ReadonlySet<PackageOnSale>, moment: number) => { offer: PackageOnSale; steps: PriceSteps }[];

/** Reads and writes a whole batch in a few statements, however many changes it has. */
export function priceStepsRecorder(database: SqlDatabase): RecordPriceChanges {
  const known = rowInserter(database, {
    table: 'alert_fallen_price',
    columns: COLUMNS,
    keys: ['item_key'],
    update: ['steps'],
  });

  function record(
    changes: readonly RepricedPackage[],
    stepsByKey: Map<string, PriceSteps>,
    moment: number,
  ): { offer: PackageOnSale; steps: PriceSteps }[] {
    const storedKeys = new Set(stepsByKey.keys());
    const recorded = changes.map(({ offer, was }) => {
      const steps = stepsAfter(stepsByKey.get(offer.itemKey) ?? [], { was, price: offer.price, at: moment });
      stepsByKey.set(offer.itemKey, steps);
      return { offer, steps };
    });
    const offers = new Map(changes.map(({ offer }) => [offer.itemKey, offer]));
    const isFallen = (itemKey: string) => (stepsByKey.get(itemKey)?.length ?? 0) > 0;
    const fallen = [...offers.values()].filter(({ itemKey }) => isFallen(itemKey));
    const rowsOf = (some: readonly PackageOnSale[]) =>
      some.map((offer) => fallenRow(offer, stepsByKey.get(offer.itemKey) ?? []));
    // Most are new, and a COPY takes a third of the time of an insert that looks for their keys.
    database.addRows(
      'alert_fallen_price',
      COLUMNS,
      rowsOf(fallen.filter(({ itemKey }) => !storedKeys.has(itemKey))),
    );
    known.insert(rowsOf(fallen.filter(({ itemKey }) => storedKeys.has(itemKey))));
    deletePriceSteps(
      database,
      [...storedKeys].filter((itemKey) => !offers.has(itemKey) || !isFallen(itemKey)),
    );
    return recorded;
  }

  return (changes) => {
    const stored = startReadingSteps(
      database,
      changes.map(({ offer }) => offer.itemKey),
    );
    return (watched, moment) => {
      const stepsByKey = stored();
      return record(
        changes.filter(({ offer }) => watched.has(offer)),
        stepsByKey,
        moment,
      );
    };
  };
}

function fallenRow({ itemKey, offer }: PackageOnSale, steps: PriceSteps): SqlValue[] {
  return [itemKey, offer[OFFER.departureDay], storedTextOf(steps)];
}

/** The price steps of those of these packages that stand below an earlier price, by ItemKey. */
export function readPriceSteps(database: SqlDatabase, itemKeys: readonly string[]): Map<string, PriceSteps> {
  return startReadingSteps(database, itemKeys)();
}

function startReadingSteps(
  database: SqlDatabase,
  itemKeys: readonly string[],
): () => Map<string, PriceSteps> {
  if (itemKeys.length === 0) return () => new Map();
  const found = database.prepare(
    `select item_key, steps from alert_fallen_price where ${database.anyOf('item_key')}`,
  );
  const rows = found.start(itemKeys);
  return () =>
    new Map(
      (rows() as [string, string][]).map(([itemKey, steps]) => [itemKey, v.parse(storedPriceSteps, steps)]),
    );
}

/** Deletes the steps of packages that nobody watches, or that are at their highest price. */
function deletePriceSteps(database: SqlDatabase, itemKeys: readonly string[]): void {
  if (itemKeys.length === 0) return;
  database.prepare(`delete from alert_fallen_price where ${database.anyOf('item_key')}`).start(itemKeys);
}
