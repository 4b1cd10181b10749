import { useEffect, useState } from 'react';
import { Calendar, type CalendarNotes, type CalendarProps } from '../ui/Calendar.tsx';
import { lazyCode, useLazyCode } from '../ui/lazy-code.ts';
import type { PriceRequest } from './price-request.ts';

export interface DepartureCalendarProps extends Omit<CalendarProps, 'label' | 'notes' | 'footer'> {
  /** The trip that the calendar shows prices for; null: no prices. */
  prices: PriceRequest | null;
}

const pricesCode = lazyCode('prices of the calendar', () => import('./CalendarPrices.tsx'));

const NO_PRICES: CalendarNotes = { days: new Map(), ems: 1 };

/** The calendar of 'When'. Prices arrive later, in reserved space. */
export function DepartureCalendar({ prices, ...calendar }: DepartureCalendarProps) {
  const lazy = useLazyCode(pricesCode);
  const [notes, setNotes] = useState(NO_PRICES);
  const hasPrices = prices !== null;
  useEffect(() => {
    if (hasPrices) pricesCode.preload();
  }, [hasPrices]);
  if (!hasPrices) return <Calendar label="Choose a departure date" {...calendar} />;
  return (
    <Calendar
      label="Choose a departure date"
      {...calendar}
      notes={notes}
      footer={(month) => (
        <div className="calendar-footer">
          {lazy.status === 'stored' && (
            <lazy.code.CalendarPrices
              request={prices}
              month={month}
              window={calendar.window}
              onNotes={setNotes}
            />
          )}
        </div>
      )}
    />
  );
}
