import { useRef, useState } from 'react';
import { departureDate, departureWindow } from '../../domain/calendar-date.ts';
import { NO_FILTERS } from '../../domain/result-filters.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { currentSearch } from '../search/search-state.ts';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { useOutsidePress } from '../ui/use-outside-press.ts';
import { toolsCode } from './tools-code.ts';

const DepartureCalendar = toolsCode.part((code) => code.DepartureCalendar);

/**
 * Opens the date field's calendar with its prices; a day there searches. Absent if the server has no such prices, or the
 * search has no destination or airport.
 */
export function MonthPricesButton() {
  const { state, config, today, showDay } = useSearchContext();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useOutsidePress(place, isOpen, () => setOpen(false));
  if (!config.priceCalendar || !state.destination || !state.departureAirport) return null;
  const search = currentSearch(state);

  return (
    <div ref={place} className="month-prices">
      <DialogOpener code={toolsCode} className="link-button" onOpen={() => setOpen(!isOpen)}>
        Prices by month
      </DialogOpener>
      {isOpen && (
        <div className="date-popup">
          <DepartureCalendar
            selected={departureDate(search.date, today)}
            today={today}
            window={departureWindow(today)}
            prices={{ service: config, trip: { ...search, ...NO_FILTERS } }}
            onPick={(date) => {
              setOpen(false);
              showDay(date);
            }}
            onClose={() => {
              setOpen(false);
              place.current?.querySelector('button')?.focus();
            }}
          />
        </div>
      )}
    </div>
  );
}
