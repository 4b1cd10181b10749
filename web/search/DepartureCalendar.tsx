import { useState } from 'react';
import { Calendar, type CalendarNotes, type CalendarProps } from '../ui/Calendar.tsx';
import { CalendarPrices, type CalendarPricesProps } from './CalendarPrices.tsx';
import type { PriceRequest } from './price-request.ts';

export interface DepartureCalendarProps extends Omit<CalendarProps, 'label' | 'notes' | 'footer'> {
  /** The trip that the calendar shows prices for; null: no prices. */
  prices: PriceRequest | null;
  onWatch?: CalendarPricesProps['onWatch'];
}

const NO_PRICES: CalendarNotes = { days: new Map(), ems: 1 };

/** The calendar of 'When'. Prices arrive later, in reserved space. */
export function DepartureCalendar({ prices, onWatch, ...calendar }: DepartureCalendarProps) {
  const [notes, setNotes] = useState(NO_PRICES);
  if (prices === null) return <Calendar label="Choose a departure date" {...calendar} />;
  return (
    <Calendar
      label="Choose a departure date"
      {...calendar}
      notes={notes}
      footer={(month) => (
        <div className="calendar-footer">
          <CalendarPrices
            request={prices}
            month={month}
            window={calendar.window}
            onNotes={setNotes}
            onWatch={onWatch}
          />
        </div>
      )}
    />
  );
}
