import * as v from 'valibot';
import { decideAlert, referenceUntold, type WatchedPrice } from '../../domain/price-drop.ts';
import type { AlertStore } from './alert-store.ts';
import type { QueuedMessage, Readiness } from './claim-message.ts';
import type { KnownPackage } from './known-packages.ts';
import { dropText } from './message-text.ts';
import type { SendContext } from './send-context.ts';

/** The drops that a message tells, as they are kept with it until it is known to have been sent. */
const toldDrops = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ itemKey: v.string(), reference: v.number() })),
);

/** What a watch's alert says by the prices of this moment, if anything, and whether this is the time. */
export function composeDrop(context: SendContext, message: QueuedMessage, now: number): Readiness {
  const { store, quietHours } = context;
  if (message.watch === null || !isActive(store, message.watch, now))
    return { kind: 'drop', reason: 'the watch ended' };
  const known = new Map<string, KnownPackage>();
  const decision = decideAlert({
    now,
    lastAlertAt: lastAlertAt(store, message.person),
    quiet: quietHours,
    isHurried: message.hurried === 1,
    prices: watchedPrices(store, message.watch, known),
  });
  if (decision.kind === 'wait') return decision;
  if (decision.kind === 'stale') return { kind: 'drop', reason: 'the price rose again' };
  const [best, ...others] = decision.drops;
  const dropped = known.get(best.itemKey);
  if (dropped === undefined) return { kind: 'drop', reason: 'nothing to say' };
  const told = decision.drops.map(({ itemKey, reference }) => ({ itemKey, reference }));
  return {
    kind: 'ready',
    body: dropText(dropped, best.reference, others.length),
    told: JSON.stringify(told),
  };
}

/** From now on the prices told are the references: only a deeper drop is news. */
export function tell({ sql }: AlertStore, watch: number, told: string): void {
  for (const { itemKey } of v.parse(toldDrops, told)) {
    sql.run`delete from alert_watched_price where item_key = ${itemKey} and watch = ${watch}`;
  }
}

/** The message was not sent after all: its drops have yet to be told. */
export function untell({ sql }: AlertStore, watch: number, told: string): void {
  for (const { itemKey, reference } of v.parse(toldDrops, told)) {
    const held = sql.get`select reference from alert_watched_price
      where item_key = ${itemKey} and watch = ${watch}`?.reference;
    const restored = referenceUntold(typeof held === 'number' ? held : null, { reference });
    sql.run`insert into alert_watched_price (item_key, watch, reference) values (${itemKey}, ${watch}, ${restored})
      on conflict (item_key, watch) do update set reference = excluded.reference`;
  }
}

function isActive({ sql }: AlertStore, watch: number, now: number): boolean {
  const found = sql.get`select 1 from alert_watch where id = ${watch} and state = 'active' and departs_at > ${now}`;
  return found !== undefined;
}

/** When the last alert went to a person, of all their watches. What certainly did not arrive was none. */
function lastAlertAt({ sql }: AlertStore, person: number): number | null {
  const last = sql.get`select max(alert_attempt.started_at) as at
    from alert_attempt join alert_message on alert_message.id = alert_attempt.message
    where alert_attempt.person = ${person} and alert_message.kind = 'drop'
      and alert_attempt.state not in ('rejected', 'failed')`?.at;
  return typeof last === 'number' ? last : null;
}

/** The packages of a watch that stand below their reference, as they are on sale now. */
function watchedPrices(
  { sql, packages }: AlertStore,
  watch: number,
  known: Map<string, KnownPackage>,
): WatchedPrice[] {
  const rows = sql.all`select item_key, reference from alert_watched_price where watch = ${watch}`;
  return rows.flatMap(({ item_key, reference }) => {
    const found = packages.find(String(item_key));
    if (found === null) return [];
    known.set(found.itemKey, found);
    const { itemKey, price, departsAt, expiresAt } = found;
    return [{ itemKey, reference: Number(reference), price, departsAt, expiresAt }];
  });
}
