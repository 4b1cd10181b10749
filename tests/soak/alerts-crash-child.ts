import { openAlertService } from '../../server/alerts/alert-service.ts';
import { parseAlertsConfig } from '../../server/alerts/alerts-config.ts';
import { inventoryWriter } from '../../server/ingest/inventory-writer.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { priceEffects } from '../../server/ingest/price-listeners.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { StoreAddress } from '../../server/storage/store-address.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { metaSettings, signed } from '../fixtures/alerts/meta-simulator.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { CRASH_KEY, type CrashKind, crashAt } from './crash-at.ts';

/** The parent's order, as JSON in the first argument. */
export interface CrashOrder {
  store: StoreAddress;
  provider: string;
  itemKey: string;
  price: number;
  numbers: number;
  now: number;
  point: { kind: CrashKind; at: number } | null;
}

/** A line of the child's report, as JSON. An `ack` is sent once a client could know the result. */
export type CrashReportLine =
  | { kind: 'ready' }
  | { kind: 'ack'; of: 'sign-up' | 'yes' | 'price'; number: number }
  | {
      kind: 'done';
      counts: Record<CrashKind, number>;
      price: number;
      watches: { number: number; state: string }[];
      messages: { number: number; kind: string; state: string }[];
    };

const order = JSON.parse(process.argv[2] ?? '') as CrashOrder;
const { counts, watchCalls, watchCommits } = crashAt(order.point);
const report = (line: CrashReportLine) => process.stdout.write(`${JSON.stringify(line)}\n`);
const numbers = Array.from({ length: order.numbers }, (_, index) => index);

const parsed = parseAlertsConfig({
  ALERTS_KEY: CRASH_KEY,
  ALERT_LIMIT_ADDRESS: '0',
  ALERT_LIMIT_BLOCK: '0',
  ALERT_NUMBER_SECONDS: '0',
});
if (parsed.kind === 'refused') throw new Error(parsed.message);
const config = { ...parsed.config, provider: metaSettings(order.provider) };
const now = () => order.now;
const { service, parts } = await openAlertService(
  { store: order.store, brandName: 'Skylark', config },
  now,
  console.error,
  openInventoryWriter,
);
watchCalls(parts.provider);
watchCommits(parts.store.database);
const database = await openDatabase(order.store);
watchCommits(database);
const writer = inventoryWriter(database, priceEffects(database, now));
report({ kind: 'ready' });

for (const number of numbers) {
  const result = await service.signUp({
    body: signUpBody(dramaNumber(number), order.itemKey),
    address: '192.0.2.1',
  });
  if (result.kind !== 'ok') throw new Error(result.kind);
  report({ kind: 'ack', of: 'sign-up', number });
}
await parts.dispatcher.drain();
for (const number of numbers) {
  const from = dramaNumber(number);
  await service.processWebhook(signed({ messages: [{ id: `yes ${number}`, from, text: { body: 'YES' } }] }));
  report({ kind: 'ack', of: 'yes', number });
}
await parts.dispatcher.drain();
const offer = (await parts.store.packages.find(order.itemKey))?.offer;
if (offer === undefined) throw new Error('The package is not on sale');
await writer.writeOffers([offer.with(OFFER.price, order.price) as unknown as OfferRow]);
report({ kind: 'ack', of: 'price', number: 0 });
await parts.dispatcher.drain();
const { sql, keys } = parts.store;
const accepted = await sql.all`select token from alert_message where state = 'accepted'`;
for (const { token } of accepted) {
  await service.processWebhook(
    signed({
      statuses: [{ id: `s ${String(token)}`, status: 'delivered', biz_opaque_callback_data: token }],
    }),
  );
}

const numberOf = new Map(numbers.map((number) => [keys.hash('number', dramaNumber(number)), number]));
const named = (key: unknown) => numberOf.get(String(key)) ?? -1;
report({
  kind: 'done',
  counts,
  price: (await parts.store.packages.find(order.itemKey))?.price ?? 0,
  watches: (
    await sql.all`select contact_key, state from alert_watch join alert_contact on alert_contact.id = contact`
  ).map((row) => ({
    number: named(row.contact_key),
    state: String(row.state),
  })),
  messages: (
    await sql.all`select contact_key, kind, state from alert_message
    join alert_contact on alert_contact.id = contact`
  ).map((row) => ({
    number: named(row.contact_key),
    kind: String(row.kind),
    state: String(row.state),
  })),
});
await service.stop();
await writer.close();
