import { useRef, useState } from 'react';
import {
  addDays,
  addMonths,
  clampToWindow,
  departureDate,
  departureWindow,
} from '../../domain/calendar-date.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import type { Pence } from '../../domain/money.ts';
import { hasFilters } from '../../domain/result-filters.ts';
import { offersAlerts, SearchAlert } from '../alerts/PriceAlerts.tsx';
import type { WatchedSearch } from '../alerts/watched-search.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { currentSearch } from '../search/search-state.ts';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { useOutsidePress } from '../ui/use-outside-press.ts';
import { toolsCode } from './tools-code.ts';

const DepartureCalendar = toolsCode.part((code) => code.DepartureCalendar);

/**
 * Opens the date field's calendar with its prices; a day there searches. Absent with filters, which the prices would ignore,
 * and if the server has no such prices, or the search has no destination or airport.
 */
export function MonthPricesButton() {
  const { state, config, today, showDay } = useSearchContext();
  const [isOpen, setOpen] = useState(false);
  const [watched, setWatched] = useState<WatchedSearch | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useOutsidePress(place, isOpen, () => setOpen(false));
  if (!config.priceCalendar || hasFilters(state) || !state.destination || !state.departureAirport)
    return null;
  const search = currentSearch(state);
  const window = departureWindow(today);

  function close() {
    setOpen(false);
    place.current?.querySelector('button')?.focus();
  }

  /** Watches all departures of a month, for the nights of the calendar's prices. */
  function watch(month: string, lowest: Pence | null) {
    close();
    const first = `${month}-01`;
    setWatched({
      search: {
        ...search,
        date: clampToWindow(first, window),
        flexibility: { ...NO_FLEXIBILITY, places: search.flexibility.places },
      },
      until: clampToWindow(addDays(addMonths(first, 1), -1), window),
      lowest: lowest === null ? null : lowest / 100,
      hotelName: null,
      isBooked: false,
    });
  }

  return (
    <>
      <div ref={place} className="month-prices">
        <DialogOpener code={toolsCode} className="link-button" onOpen={() => setOpen(!isOpen)}>
          Prices by month
        </DialogOpener>
        {isOpen && (
          <div className="date-popup">
            <DepartureCalendar
              selected={departureDate(search.date, today)}
              today={today}
              window={window}
              prices={{ service: config, trip: search }}
              onWatch={offersAlerts(config) && config.searchAlerts ? watch : undefined}
              onPick={(date) => {
                setOpen(false);
                showDay(date);
              }}
              onClose={close}
            />
          </div>
        )}
      </div>
      {watched && <SearchAlert watched={watched} onClose={() => setWatched(null)} />}
    </>
  );
}
