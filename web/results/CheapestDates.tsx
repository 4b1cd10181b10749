import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { formatBriefWeekday } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import { hasFilters } from '../../domain/result-filters.ts';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { pricesByDay, TIMEOUT_MS } from '../search/day-prices.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { fetchEach, serviceKey } from '../search/search-service.ts';
import { currentSearch } from '../search/search-state.ts';
import { MonthPricesButton } from './MonthPricesButton.tsx';

/**
 * The lowest price of each day, three days either side of the search. Shows nothing with filters, which the prices would
 * ignore, or if the request fails.
 */
export function CheapestDates() {
  const { state, config, showDay } = useSearchContext();
  const search = currentSearch(state);
  const trip = { ...search, flexibility: { ...search.flexibility, days: 0 } };
  const filters =
    config.cheapestDates && !hasFilters(state) ? buildSearchFilters(trip, config.brandCode) : null;
  const { data: latest, ...fetched } = useQuery({
    queryKey: ['cheapest-dates', ...serviceKey(config), filters],
    queryFn: async ({ signal }) => {
      const limits = { signal, timeoutMs: TIMEOUT_MS };
      const [dates = []] = await fetchEach(config, pricesByDay('cheapestDates'), [{ filters }], limits);
      return { day: search.date, dates };
    },
    enabled: filters !== null,
    placeholderData: keepPreviousData,
    meta: { what: 'The cheapest dates' },
  });

  if (filters === null || fetched.isError) return <MonthPricesButton />;
  if (latest === undefined) return <div className="cheapest-dates" />;
  // The old prices stay, disabled, until the new ones arrive: no layout shift.
  const isCurrent = !fetched.isPlaceholderData;
  if (isCurrent && latest.dates.length === 0) return <MonthPricesButton />;
  const lowest = Math.min(...latest.dates.map(({ TotalPrice }) => TotalPrice));
  return (
    <div className="cheapest-dates">
      <MonthPricesButton />
      <section aria-labelledby="cheapest-dates" aria-busy={!isCurrent}>
        <h3 id="cheapest-dates">{`Cheapest around these dates, ${WITH_CHARGES}`}</h3>
        <DayList key={latest.day}>
          {latest.dates.map(({ DepartureDate, TotalPrice }) => (
            <li key={DepartureDate}>
              <DayChoice
                date={DepartureDate}
                pounds={TotalPrice}
                isChosen={DepartureDate === search.date}
                isLowest={TotalPrice === lowest}
                disabled={!isCurrent}
                onChoose={() => showDay(DepartureDate)}
              />
            </li>
          ))}
        </DayList>
      </section>
    </div>
  );
}

function DayList({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => centreChosen(list.current), []);
  return <ul ref={list}>{children}</ul>;
}

/** Scrolls the chosen day to the middle of the list without scrolling the page. */
function centreChosen(list: HTMLElement | null): void {
  const chosen = list?.querySelector<HTMLElement>('[aria-current]')?.parentElement;
  if (!list || !chosen) return;
  const middle = chosen.offsetLeft + chosen.offsetWidth / 2;
  list.scrollLeft = middle - list.clientWidth / 2;
}

interface DayChoiceProps {
  date: CalendarDate;
  pounds: number;
  isChosen: boolean;
  isLowest: boolean;
  disabled: boolean;
  onChoose: () => void;
}

function DayChoice({ date, pounds, isChosen, isLowest, disabled, onChoose }: DayChoiceProps) {
  return (
    <button
      type="button"
      aria-current={isChosen ? 'date' : undefined}
      disabled={disabled}
      onClick={isChosen ? undefined : onChoose}
    >
      <span>{`${formatBriefWeekday(date)} `}</span>
      <strong>{formatPounds(pounds)}</strong>
      <small>{isLowest ? ' lowest' : isChosen ? ' your day' : ''}</small>
    </button>
  );
}
