import type { AlertParts, AlertService } from '../../server/alerts/alert-service.ts';
import { openAlertService } from '../../server/alerts/alert-service.ts';
import type { AlertsConfig } from '../../server/alerts/alerts-config.ts';
import { parseAlertsConfig } from '../../server/alerts/alerts-config.ts';
import { knownPackages } from '../../server/alerts/known-packages.ts';
import { priceDropListener } from '../../server/alerts/price-drop-listener.ts';
import type { SignUpResult } from '../../server/alerts/sign-up.ts';
import type { InventoryWriter, OfferRow } from '../../server/storage/inventory.ts';
import { inventoryWriter } from '../../server/storage/inventory-writer.ts';
import { openDatabase } from '../../server/storage/open-database.ts';
import type { StoreAddress } from '../../server/storage/store-address.ts';
import { NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, type StoreKind } from '../fixtures/test-stores.ts';
import { dramaNumber } from './drama-numbers.ts';
import { signUpBody } from './sign-up-body.ts';

/** Alerts over the small inventory, on a clock that only moves when it is told to. */
export interface SmallAlerts {
  service: AlertService;
  parts: AlertParts;
  address: StoreAddress;
  /** The folder of the key, and of an embedded store. */
  dataDir: string;
  config: AlertsConfig;
  /** Item keys of packages that have not expired, in key order. */
  itemKeys: string[];
  now(): number;
  passTime(ms: number): void;
  signUp(phone: string, itemKey: string, address?: string): Promise<SignUpResult>;
  /** Signs up and says yes. */
  watch(phone: string, itemKey: string): Promise<void>;
  /** Writes from a phone, whatever the provider. */
  say(phone: string, text: string): Promise<void>;
  /** Writes another price for a package, in pence, as a feed does. */
  setPrice(itemKey: string, price: number): Promise<void>;
  priceOf(itemKey: string): number;
  /** Everything in the outbox, oldest first. */
  messages(): {
    id: number;
    person: number;
    kind: string;
    state: string;
    reason: string | null;
    text: string | null;
  }[];
  close(): Promise<void>;
}

const PRICE = 11;

export async function openSmallAlerts(
  options: {
    variables?: Record<string, string>;
    config?: (config: AlertsConfig) => AlertsConfig;
    store?: StoreKind;
  } = {},
): Promise<SmallAlerts> {
  const opened = await makeStore(options.store ?? 'embedded');
  const { address } = opened;
  const parsed = parseAlertsConfig({
    ALERT_LIMIT_ADDRESS: '0',
    ALERT_LIMIT_NUMBER: '0',
    ALERT_LIMIT_BLOCK: '0',
    ...(options.store === 'postgresql' ? { ALERTS_KEY: 'a'.repeat(64) } : {}),
    ...options.variables,
  });
  if (parsed.kind === 'refused') throw new Error(parsed.message);
  const config = options.config?.(parsed.config) ?? parsed.config;
  let time = NOW;
  const now = () => time;
  const database = openDatabase(address);
  const writer: InventoryWriter = inventoryWriter(database, {
    listeners: [priceDropListener(database, now)],
  });
  await writer.replaceReference(REFERENCE);
  await writer.writeOffers(smallOffers());
  const packages = knownPackages(database);
  const { service, parts } = openAlertService(
    { store: address, brandName: 'Skylark', config },
    now,
    (line) => {
      throw new Error(line);
    },
  );
  const itemKeys = smallOffers()
    .map((offer) => packages.read(offer))
    .filter(({ expiresAt }) => expiresAt > NOW)
    .map(({ itemKey }) => itemKey);

  const find = (itemKey: string) => {
    const found = packages.find(itemKey);
    if (found === null) throw new Error(`Nothing is on sale under ${itemKey}`);
    return found;
  };
  const personOf = (phone: string) => {
    const key = parts.store.keys.hash('number', phone);
    return Number(parts.store.sql.get`select id from alert_person where number_key = ${key}`?.id);
  };
  const signUp: SmallAlerts['signUp'] = (phone, itemKey, address = '198.51.100.7') =>
    service.signUp({ body: signUpBody(phone, itemKey), address });

  return {
    service,
    parts,
    address,
    dataDir: opened.folder,
    config,
    itemKeys,
    now,
    passTime: (ms) => {
      time += ms;
    },
    signUp,
    async watch(phone, itemKey) {
      await signUp(phone, itemKey);
      await service.writeFrom(personOf(phone), 'YES');
    },
    say: (phone, text) => service.writeFrom(personOf(phone), text),
    async setPrice(itemKey, price) {
      const offer = find(itemKey).offer.with(PRICE, price) as unknown as OfferRow;
      await writer.writeOffers([offer]);
    },
    priceOf: (itemKey) => find(itemKey).price,
    messages: () =>
      parts.store.sql.all`select id, person, kind, state, reason, body from alert_message order by id`.map(
        ({ body, ...message }) => ({
          ...message,
          text: typeof body === 'string' ? (JSON.parse(body) as { text: string }).text : null,
        }),
      ) as unknown as ReturnType<SmallAlerts['messages']>,
    async close() {
      await service.stop();
      await writer.close();
      await opened.remove();
    },
  };
}

export const SOMEBODY = dramaNumber(123);
