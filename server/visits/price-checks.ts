import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { type Pence, poundsToPence } from '../../domain/money.ts';
import type { PriceCheck } from '../feed/map/holiday-providers.ts';
import { checksOf } from '../feed/write/outside-writes.ts';
import { compareKeys } from '../feed/write/staged-lines.ts';
import { inventoryWriter } from '../ingest/inventory-writer.ts';
import { priceEffects } from '../ingest/price-listeners.ts';
import { recordOf } from '../inventory/catalogue.ts';
import { deepLinkOf } from '../inventory/deep-link.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { errorMessage } from '../lib/error-message.ts';
import { type TokenBuckets, tokenBuckets } from '../lib/token-buckets.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { CheckedPrice, SiteVisit } from './record-visits.ts';
import { visitWriter } from './visit-table.ts';

/** The request to a provider (docs/contracts/price-check.md). */
export interface PriceCheckRequest {
  link: string;
  hotel: string;
  departureAirport: string;
  departureDate: string;
  nights: number;
  board: string;
  room: string;
  adults: number;
  children: number;
  infants: number;
}

/** `price` is Skylark's; only the sample's providers use it. Rejects if there is no response. */
export type RequestPrice = (check: PriceCheck, request: PriceCheckRequest, price: Pence) => Promise<unknown>;

export interface PriceCheckOptions {
  checkOf(provider: string): PriceCheck | null;
  ask: RequestPrice;
  /** Whether the store learns from the responses. The sample's prices are invented. */
  isRecorded: boolean;
  /** Runs a task soon, when responses may be recorded together. */
  soon(task: () => Promise<void>): unknown;
  /** In monotonic milliseconds. */
  monotonicNow(): number;
  log(line: string): void;
}

const Response = v.variant('available', [
  v.object({ available: v.literal(false) }),
  v.object({
    available: v.literal(true),
    totalPrice: v.pipe(v.number(), v.gtValue(0)),
    currency: v.literal('GBP'),
  }),
]);

/** Concurrent and later callers share a check for this time. */
const SHARED_MS = 60_000;
const MAX_SHARED = 10_000;

/** Checks pause after this many failures in a row, and after each further failure. */
const MAX_FAILURES = 5;
const PAUSE_MS = 60_000;

/** A price that differs by a larger factor counts as an error, such as pence instead of pounds. */
const MAX_FACTOR = 10;

/** Only a price within this share of the feed's is stored. Others may be an error, such as a price per person. */
const MAX_STORED_PERCENT = 30;

interface Line {
  budget: TokenBuckets;
  /** Half of the budget, for each client. */
  ofClient: TokenBuckets;
  failures: number;
  pausedUntil: number;
}

/** Asks providers for the prices of packages on sale. Null: nothing is known. Works on the caller's store. */
export function priceChecks(
  database: SqlDatabase,
  { checkOf, ask: request, isRecorded, soon, monotonicNow, log }: PriceCheckOptions,
): (visit: SiteVisit) => Promise<CheckedPrice | null> {
  const catalogueIn = storedCatalogue();
  const select = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
  const find = database.prepare(select);
  // Skips a row that an import is writing, because waiting for it could deadlock.
  const selectForUpdate = database.engine === 'sqlite' ? select : `${select} for update skip locked`;
  const earlier = database.prepare(`select price, next_price from site_visit
    where provider = ? and item_key = ? and settled_at is null and is_check = 1 and next_price is not null
    order by id`);
  const shared = new LRUCache<string, Promise<CheckedPrice | null>>({ max: MAX_SHARED, ttl: SHARED_MS });
  const lines = new LRUCache<string, Line, PriceCheck>({
    max: 1_000,
    memoMethod: (_key, _stale, { context: { perMinute } }) => ({
      budget: tokenBuckets({ perMinute, burst: perMinute }, monotonicNow),
      ofClient: tokenBuckets({ perMinute: perMinute / 2, burst: Math.max(1, perMinute / 2) }, monotonicNow),
      failures: 0,
      pausedUntil: 0,
    }),
  });
  const writer = inventoryWriter(database, { ...priceEffects(database), recordsPrices: true });
  const write = visitWriter(database);
  let learned: Learned[] = [];

  /** Drops prices that cannot be recorded, and those of offers that have changed since they were read. */
  async function record(): Promise<void> {
    const some = learned;
    learned = [];
    try {
      const outcomes = await write(some.map(({ visit }) => visit));
      const read = new Map(
        some.flatMap(({ offer, said }, nth) => (outcomes[nth] === 'recorded' ? [[said, offer]] : [])),
      );
      await writer.writeOffers([...read.keys()].toSorted(compareKeys), async (tx, offers) => {
        const find = tx.prepare(selectForUpdate);
        const unchanged: OfferRow[] = [];
        for (const said of offers) {
          if (!(await tx.tryAlone(checksOf(said[OFFER.provider])))) continue;
          const now = await find.row(...said.slice(0, KEY_COLUMNS.length));
          if (read.get(said)?.every((value, nth) => value === now?.[nth]) === true) unchanged.push(said);
        }
        return unchanged;
      });
    } catch (error) {
      log(`${some.length} checked prices could not be recorded: ${errorMessage(error)}`);
    }
  }

  /** The price in the last feed that had this offer. Later checks may have changed it. */
  async function feedPrice(itemKey: string, offer: OfferRow): Promise<Pence> {
    const rows = await earlier.rows(offer[OFFER.provider], itemKey);
    const isChecked = rows.at(-1)?.[1] === offer[OFFER.price];
    return isChecked ? Number(rows[0]?.[0]) : offer[OFFER.price];
  }

  async function learn(visit: SiteVisit, offer: OfferRow, price: Pence | null): Promise<void> {
    const { itemKey, visitedAt } = visit;
    const isOnSale = visit.price === offer[OFFER.price] && offer[OFFER.expiresAt] > visitedAt;
    if (!isRecorded || !isOnSale) return;
    const fed = await feedPrice(itemKey, offer);
    if (price !== null && Math.abs(price - fed) * 100 > fed * MAX_STORED_PERCENT) return;
    if (learned.length === 0) soon(record);
    learned.push({ visit: { ...visit, checked: price }, offer, said: observed(offer, price, visitedAt) });
  }

  async function ask(checked: PriceCheck, line: Line, visit: SiteVisit, offer: OfferRow) {
    const names = await catalogueIn(database);
    await names.load([offer]);
    const codes = offerCodes(names)(offer);
    const template = recordOf(names.providers, offer[OFFER.provider]).linkTemplate;
    const link = offer[OFFER.link] ?? deepLinkOf(template ?? '')(codes);
    try {
      const response = v.parse(
        Response,
        await request(checked, requestOf(visit.itemKey, link), offer[OFFER.price]),
      );
      const price = response.available ? poundsToPence(response.totalPrice) : null;
      if (price !== null && !isPlausible(price, offer[OFFER.price]))
        throw new Error('its price is implausible');
      line.failures = 0;
      await learn(visit, offer, price);
      return { price };
    } catch (error) {
      line.failures += 1;
      if (line.failures >= MAX_FAILURES) {
        line.pausedUntil = monotonicNow() + PAUSE_MS;
        log(`Price checks at ${new URL(checked.url).host} pause for a minute: ${errorMessage(error)}`);
      }
      return null;
    }
  }

  return async (visit) => {
    const known = shared.get(visit.itemKey);
    if (known !== undefined) return known;
    const [code = ''] = visit.itemKey.split(':');
    const checked = checkOf(decodeURIComponent(code));
    const key = await parseItemKey(visit.itemKey, await catalogueIn(database));
    if (checked === null || key === null) return null;
    const offer = (await find.row(...key)) as unknown as OfferRow | undefined;
    // Another visitor may have asked while the offer was read.
    const asking = shared.get(visit.itemKey);
    if (asking !== undefined) return asking;
    const line = lines.memo(`${checked.url} ${checked.perMinute}`, { context: checked });
    if (offer === undefined || monotonicNow() < line.pausedUntil) return null;
    // Not shared: one client's refusal must not hide the price from others.
    if (line.ofClient.take(String(visit.client)) > 0 || line.budget.take('') > 0) return null;
    const asked = ask(checked, line, visit, offer);
    shared.set(visit.itemKey, asked);
    // After a failure, the next visitor asks again.
    asked.catch(() => shared.delete(visit.itemKey));
    return asked;
  };
}

/** A provider's response that is not recorded yet. */
interface Learned {
  visit: SiteVisit;
  /** The offer as it was read before the request. */
  offer: OfferRow;
  /** The offer as the provider says. */
  said: OfferRow;
}

function requestOf(itemKey: string, link: string): PriceCheckRequest {
  const [, hotel = '', departureAirport = '', departureDate = '', nights, board = '', room = '', party = ''] =
    itemKey.split(':').map(decodeURIComponent);
  const [adults = 0, children = 0, infants = 0] = party.split('-').map(Number);
  const holiday = { hotel, departureAirport, departureDate, nights: Number(nights), board, room };
  return { link, ...holiday, adults, children, infants };
}

function isPlausible(price: Pence, stored: Pence): boolean {
  return price <= stored * MAX_FACTOR && stored <= price * MAX_FACTOR;
}

/** The offer, updated from its provider's response. A sold-out offer is expired until a feed has it. */
function observed(offer: OfferRow, price: Pence | null, minute: number): OfferRow {
  if (price === null) return offer.with(OFFER.expiresAt, minute) as unknown as OfferRow;
  const before = offer[OFFER.priceBefore];
  return offer
    .with(OFFER.price, price)
    .with(OFFER.priceBefore, before !== null && before <= price ? null : before)
    .with(OFFER.seenAt, Math.max(minute, offer[OFFER.seenAt])) as unknown as OfferRow;
}
