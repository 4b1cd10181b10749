import * as v from 'valibot';
import type { Pence } from '../../../domain/money.ts';
import { isImplausibleMove } from '../../../domain/price-drop.ts';
import { highsAfter, type RunningHighs } from '../../../domain/running-highs.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlSession, SqlValue } from '../../storage/sql-database.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';

const COLUMNS = ['item_key', 'departure_day', 'steps'] as const;

/** Price steps as stored: a JSON list with each step's price, `at` and `until`. */
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

/** A package and its provider's previous price. */
export interface RepricedPackage {
  offer: PackageOnSale;
  was: Pence;
}

export interface RepricedSteps {
  offer: PackageOnSale;
  /** The provider's prices. Empty if the package is at its highest price. */
  steps: RunningHighs;
}

/** Records price changes of watched packages and returns their steps. Deletes steps of unwatched ones. */
export async function recordPriceSteps(
  tx: SqlSession,
  changes: readonly RepricedPackage[],
  watched: ReadonlySet<PackageOnSale>,
  moment: number,
): Promise<RepricedSteps[]> {
  const stepsByKey = await readPriceSteps(
    tx,
    changes.map(({ offer }) => offer.itemKey),
  );
  const storedKeys = new Set(stepsByKey.keys());
  const rows = new Map<string, SqlValue[]>();
  const recorded = changes
    .filter(({ offer }) => watched.has(offer))
    .map(({ offer, was }) => {
      const { itemKey } = offer;
      const price = offer.offer[OFFER.price];
      // After an implausible move, earlier prices no longer count, so neither that move nor a later one is a false drop.
      const steps = isImplausibleMove(was, price)
        ? []
        : highsAfter(stepsByKey.get(itemKey) ?? [], { was, price, at: moment });
      stepsByKey.set(itemKey, steps);
      if (steps.length > 0)
        rows.set(itemKey, [itemKey, offer.offer[OFFER.departureDay], storedTextOf(steps)]);
      else rows.delete(itemKey);
      return { offer, steps };
    });
  const table = { table: 'alert_fallen_price', columns: COLUMNS, keys: ['item_key'], update: ['steps'] };
  await (await rowInserter(tx, table)).insert([...rows.values()]);
  const obsolete = [...storedKeys].filter((itemKey) => !rows.has(itemKey));
  if (obsolete.length > 0)
    await tx.prepare(`delete from alert_fallen_price where ${tx.anyOf('item_key')}`).run(obsolete);
  return recorded;
}

function storedTextOf(steps: RunningHighs): string {
  return JSON.stringify(steps.map(({ price, at, until }) => [price, at, until]));
}

/** The price steps by ItemKey, of packages that cost less than before. */
export async function readPriceSteps(
  tx: SqlSession,
  itemKeys: readonly string[],
): Promise<Map<string, RunningHighs>> {
  if (itemKeys.length === 0) return new Map();
  const rows = (await tx
    .prepare(`select item_key, steps from alert_fallen_price where ${tx.anyOf('item_key')}`)
    .rows(itemKeys)) as [string, string][];
  return new Map(rows.map(([itemKey, steps]) => [itemKey, v.parse(storedPriceSteps, steps)]));
}
