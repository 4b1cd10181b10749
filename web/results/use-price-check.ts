import { useEffect, useRef, useState } from 'react';
import { formatClock } from '../../domain/day-words.ts';
import { londonClock } from '../../domain/london-time.ts';
import { formatPounds } from '../../domain/money.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';

/** A later response would not help a visitor who is about to leave. */
const MAX_MS = 1_500;

const FRESH_MS = 60_000;

/** What a provider says about a price now. */
export interface CheckedPrice {
  /** '' until the provider responds. */
  words: string;
  /** Whether screen readers announce changed words. False if only the age in the words changes. */
  isAnnounced: boolean;
}

/** The latest response, and a function that asks `url` for a holiday's price now, at most once a minute. */
export function usePriceCheck(holiday: PackageHoliday, url: string | null): [CheckedPrice, () => void] {
  const [checked, setChecked] = useState({ said: '', at: 0, isNew: false, isAnnounced: false });
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!checked.isNew) return;
    const timer = setTimeout(() => setChecked({ ...checked, isNew: false, isAnnounced: false }), FRESH_MS);
    return () => clearTimeout(timer);
  }, [checked]);

  async function ask(): Promise<void> {
    if (url === null || performance.now() - askedAt.current < FRESH_MS) return;
    askedAt.current = performance.now();
    // A live region has to exist before its words change.
    setChecked((before) => ({ ...before, isAnnounced: true }));
    const said = await askPrice(url, holiday).catch(() => null);
    if (said !== null) setChecked({ said, at: Date.now(), isNew: true, isAnnounced: true });
  }
  const { said, at, isNew, isAnnounced } = checked;
  const when = isNew ? 'just now' : `at ${formatClock(londonClock(at).minute)}`;
  return [{ words: said && `${said}, checked ${when}`, isAnnounced }, ask];
}

async function askPrice(url: string, holiday: PackageHoliday): Promise<string | null> {
  const shown = shownPrice(holiday);
  const response = await fetch(url, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(shown),
    signal: AbortSignal.timeout(MAX_MS),
  });
  if (response.status !== 200) return null;
  const { price }: { price?: unknown } = await response.json();
  if (price === null) return 'Sold out';
  if (typeof price !== 'number' || !(price > 0)) return null;
  // Charges at the resort stay the same.
  const total = holiday.PriceDetails.TotalPrice + price - shown.price;
  return `${price === shown.price ? 'Still' : 'Now'} ${formatPounds(total)}`;
}

/** A card's price in terms of `/visits`: the provider's part, with the proof that the server showed it. */
export function shownPrice({ ItemKey, PriceDetails, LocalCharges, PriceToken }: PackageHoliday) {
  const price = LocalCharges?.ProviderPrice ?? PriceDetails.TotalPrice;
  return { itemKey: ItemKey, price, ...(PriceToken !== undefined && { priceToken: PriceToken }) };
}
