import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { type Pence, poundsToPence } from '../../domain/money.ts';
import type { PriceCheck } from '../feed/map/holiday-providers.ts';
import { compareKeys } from '../feed/write/difference.ts';
import { inventoryWriter } from '../ingest/inventory-writer.ts';
import { priceEffects } from '../ingest/price-listeners.ts';
import { recordOf } from '../inventory/catalogue.ts';
import { deepLinkOf } from '../inventory/deep-link.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
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
const MAX_FACTOR = 2;

interface Line {
  budget: TokenBuckets;
  failures: number;
  pausedUntil: number;
}

/** Asks providers for the prices of packages on sale. Null: nothing is known. Works on the caller's store. */
export function priceChecks(
  database: SqlDatabase,
  { checkOf, ask, isRecorded, soon, monotonicNow, log }: PriceCheckOptions,
): (visit: SiteVisit) => Promise<CheckedPrice | null> {
  const catalogue = storedCatalogue(database);
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  const shared = new LRUCache<string, Promise<CheckedPrice | null>, SiteVisit>({
    max: MAX_SHARED,
    ttl: SHARED_MS,
    memoMethod: (_itemKey, _stale, { context }) => check(context),
  });
  const lines = new LRUCache<string, Line, PriceCheck>({
    max: 1_000,
    memoMethod: (_key, _stale, { context: { perMinute } }) => ({
      budget: tokenBuckets({ perMinute, burst: perMinute }, monotonicNow),
      failures: 0,
      pausedUntil: 0,
    }),
  });
  const writer = inventoryWriter(database, { ...priceEffects(database), recordsPrices: true });
  const write = visitWriter(database);
  let learned: { visit: SiteVisit; offer: OfferRow }[] = [];

  /** Drops the prices if they cannot be recorded. */
  async function record(): Promise<void> {
    const some = learned;
    learned = [];
    try {
      write(some.map(({ visit }) => visit));
      await writer.writeOffers(some.map(({ offer }) => offer).toSorted(compareKeys));
    } catch (error) {
      log(`${some.length} checked prices could not be recorded: ${errorMessage(error)}`);
    }
  }

  async function check(visit: SiteVisit): Promise<CheckedPrice | null> {
    const [code = ''] = visit.itemKey.split(':');
    const checked = checkOf(decodeURIComponent(code));
    const names = catalogue();
    const key = parseItemKey(visit.itemKey, names);
    if (checked === null || key === null) return null;
    const offer = find.row(...key) as unknown as OfferRow | undefined;
    const line = lines.memo(`${checked.url} ${checked.perMinute}`, { context: checked });
    if (offer === undefined || monotonicNow() < line.pausedUntil || line.budget.take('') > 0) return null;
    const codes = offerCodes(names)(offer);
    const template = recordOf(names.providers, offer[OFFER.provider]).linkTemplate;
    const link = offer[OFFER.link] ?? deepLinkOf(template ?? '')(codes);
    try {
      const response = v.parse(
        Response,
        await ask(checked, requestOf(visit.itemKey, link), offer[OFFER.price]),
      );
      const price = response.available ? poundsToPence(response.totalPrice) : null;
      if (price !== null && !isPlausible(price, offer[OFFER.price]))
        throw new Error('its price is implausible');
      line.failures = 0;
      if (isRecorded) {
        if (learned.length === 0) soon(record);
        learned.push({ visit: { ...visit, checked: price }, offer: observed(offer, price, visit.visitedAt) });
      }
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

  return (visit) => shared.memo(visit.itemKey, { context: visit });
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
