import { useEffect, useMemo } from 'react';
import type { DateWindow } from '../../domain/calendar-date.ts';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { monthWords } from '../../domain/day-words.ts';
import { formatWholePounds, type Pence } from '../../domain/money.ts';
import { partyWords } from '../../domain/party.ts';
import type { CalendarNotes, DayNote } from '../ui/Calendar.tsx';
import { widthInEms } from '../ui/price-width.ts';
import { RetryMessage } from '../ui/RetryMessage.tsx';
import { useDayPrices } from './day-prices.ts';
import { cheapestOf, type DayPrices, type Month, monthFilters } from './price-month.ts';
import type { PriceRequest } from './price-request.ts';

export interface CalendarPricesProps {
  request: PriceRequest;
  month: Month;
  window: DateWindow;
  /** Receives the month's prices as notes of its days; no notes until they are loaded. */
  onNotes: (notes: CalendarNotes) => void;
  /** Watches the month, whose lowest price is given; null: no holidays. Undefined: watching is not offered. */
  onWatch: ((month: Month, lowest: Pence | null) => void) | undefined;
}

const NO_PRICES: DayPrices = new Map();

/** Loads the lowest price of each day, and shows a legend with the cheapest. */
export function CalendarPrices({ request, month, window, onNotes, onWatch }: CalendarPricesProps) {
  const { service, trip } = request;
  const { duration, party } = trip;
  const filters = monthFilters(trip, month, window, service.brandCode);
  const { data, isError, refetch } = useDayPrices(service, filters === null ? [] : [filters]);
  const prices = data?.[0] ?? NO_PRICES;
  const who = partyWords(party);
  const notes = useMemo(() => notesOf(prices, who), [prices, who]);
  useEffect(() => onNotes(notes), [notes, onNotes]);

  if (filters === null) return null;
  if (isError) return <RetryMessage words="We couldn’t load prices." onRetry={() => void refetch()} />;
  return (
    <>
      <p>{`Lowest price for ${who}, ${duration} nights, ${WITH_CHARGES}`}</p>
      <p role="status">
        {data === undefined ? (
          <span>Looking up prices...</span>
        ) : (
          <Cheapest prices={prices} words={monthWords(month)} />
        )}
      </p>
      {onWatch && data && (
        <button
          type="button"
          className="link-button"
          aria-haspopup="dialog"
          onClick={() => onWatch(month, cheapestOf(prices)?.price ?? null)}
        >
          {prices.size === 0 ? 'Tell me when there is something' : 'Tell me when this costs less'}
        </button>
      )}
    </>
  );
}

/** The legend of the mark. */
function Cheapest({ prices, words }: { prices: DayPrices; words: string }) {
  const cheapest = cheapestOf(prices);
  if (cheapest === null) return <span>{`No holidays found in ${words}`}</span>;
  return (
    <>
      <span className="price-mark">{formatWholePounds(cheapest.price)}</span>
      <span>{` cheapest in ${words}`}</span>
    </>
  );
}

function notesOf(prices: DayPrices, who: string): CalendarNotes {
  const cheapest = cheapestOf(prices);
  const days = new Map<string, DayNote>();
  let ems = 1;
  for (const [day, price] of prices) {
    const text = formatWholePounds(price);
    const isMarked = price === cheapest?.price;
    const after = `for ${who}${isMarked ? ', cheapest of the month' : ''}`;
    days.set(day, { before: 'from', text, after, isMarked });
    ems = Math.max(ems, widthInEms(text));
  }
  return { days, ems };
}
