import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatClock } from '../../domain/day-words.ts';
import { londonClock } from '../../domain/london-time.ts';
import { formatPounds } from '../../domain/money.ts';
import { type PackageHoliday, shownPrice } from '../../domain/package-holiday.ts';

/** A later response would not help a visitor who is about to leave. */
const MAX_MS = 1_500;

const FRESH_MS = 60_000;

/** How long a card rests in view on a touch screen, which has no pointer to show that a link is near. */
const REST_MS = 1_000;

/** A provider's response: its price in pounds in terms of `/visits`; null: sold out. */
export type CheckedPrice = number | null;

/** What to say about a price that the provider has confirmed or changed. */
export interface CheckedWords {
  /** '' until the provider responds. */
  words: string;
  /** Whether screen readers announce changed words. False if only the age in the words changes. */
  isAnnounced: boolean;
}

/**
 * Asks `url` for a holiday's price now, at most once a minute, and passes the response to `onChecked`. Returns what to
 * say, and the function that asks. On a touch screen, it asks when `card` rests in view.
 */
export function usePriceCheck(
  holiday: PackageHoliday,
  url: string | null,
  card: RefObject<Element | null>,
  onChecked: (holiday: PackageHoliday, price: CheckedPrice) => void,
): [CheckedWords, () => void] {
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
    const price = await askPrice(url, holiday).catch(() => undefined);
    if (price === undefined) return;
    setChecked({ said: wordsOf(holiday, price), at: Date.now(), isNew: true, isAnnounced: true });
    onChecked(holiday, price);
  }

  const askAtRest = useEffectEvent(ask);
  useEffect(() => {
    const element = card.current;
    if (url === null || element === null || !matchMedia('(hover: none)').matches) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (entries.at(-1)?.isIntersecting === true) timer = setTimeout(() => void askAtRest(), REST_MS);
      },
      { threshold: 0.5 },
    );
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [url, card]);

  const { said, at, isNew, isAnnounced } = checked;
  const when = isNew ? 'just now' : `at ${formatClock(londonClock(at).minute)}`;
  return [{ words: said && `${said}, checked ${when}`, isAnnounced }, ask];
}

/** The provider's price; undefined: unknown. */
async function askPrice(url: string, holiday: PackageHoliday): Promise<CheckedPrice | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(shownPrice(holiday)),
    signal: AbortSignal.timeout(MAX_MS),
  });
  if (response.status !== 200) return undefined;
  const { price }: { price?: unknown } = await response.json();
  return price === null || (typeof price === 'number' && price > 0) ? price : undefined;
}

function wordsOf(holiday: PackageHoliday, price: CheckedPrice): string {
  if (price === null) return 'Sold out';
  const { TotalPrice } = atCheckedPrice(holiday, price).PriceDetails;
  return `${price === shownPrice(holiday).price ? 'Still' : 'Now'} ${formatPounds(TotalPrice)}`;
}

/** The holiday as its provider says. Charges at the resort stay the same. A sold-out holiday has no link. */
export function atCheckedPrice(holiday: PackageHoliday, price: CheckedPrice): PackageHoliday {
  if (price === null) return { ...holiday, DeeplinkUrl: '', Availability: 'sold out' };
  const { PriceDetails, LocalCharges } = holiday;
  const TotalPrice = PriceDetails.TotalPrice + price - shownPrice(holiday).price;
  const PricePerAdult = (PriceDetails.PricePerAdult * TotalPrice) / PriceDetails.TotalPrice;
  return {
    ...holiday,
    Availability: 'checked',
    PriceDetails: { ...PriceDetails, TotalPrice, AdjustedPrice: TotalPrice, PricePerAdult },
    ...(LocalCharges && { LocalCharges: { ...LocalCharges, ProviderPrice: price } }),
  };
}
