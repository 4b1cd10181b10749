import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type CalendarDate, formatSpokenDate } from '../../domain/calendar-date.ts';
import { formatWholePounds, poundsToPence } from '../../domain/money.ts';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { type CheapestDate, fetchCheapestDates } from '../search/fetch-cheapest-dates.ts';
import { searchKey } from '../search/held-results.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { currentSearch } from '../search/search-state.ts';
import { MonthPricesButton } from './MonthPricesButton.tsx';

/** The prices around the search with this key; no dates if there are none. */
type Known = { key: string; dates: readonly CheapestDate[] };

/**
 * The lowest price of each day from three days before the search to three days after, if the server offers this. If the
 * request fails, nothing is shown.
 */
export function CheapestDates() {
  const { state, config, showDay } = useSearchContext();
  const search = currentSearch(state);
  const key = searchKey(search);
  const [known, setKnown] = useState<Known | null>(null);
  const { searchEndpoint, searchApiKey, brandCode } = config;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has every relevant part of the search.
  useEffect(() => {
    const filters = buildSearchFilters(search, brandCode);
    if (filters === null || !config.cheapestDates) return;
    const abort = new AbortController();
    fetchCheapestDates({ searchEndpoint, searchApiKey }, filters, abort.signal).then(
      (dates) => setKnown({ key, dates }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        console.warn('The cheapest dates could not be fetched.', error);
        setKnown({ key, dates: [] });
      },
    );
    return () => abort.abort();
  }, [key, searchEndpoint, searchApiKey, brandCode, config.cheapestDates]);

  if (!config.cheapestDates) return <MonthPricesButton />;
  if (known === null) return <div className="cheapest-dates" />;
  // The old prices stay, disabled, until the new ones arrive, to avoid a layout shift.
  const isCurrent = known.key === key;
  if (isCurrent && known.dates.length === 0) return <MonthPricesButton />;
  const lowest = Math.min(...known.dates.map(({ pounds }) => pounds));
  return (
    <div className="cheapest-dates">
      <MonthPricesButton />
      <section aria-labelledby="cheapest-dates" aria-busy={!isCurrent}>
        <h3 id="cheapest-dates">Cheapest around these dates</h3>
        <DayList key={known.key}>
          {known.dates.map((one) => (
            <li key={one.date}>
              <DayChoice
                {...one}
                isChosen={one.date === search.date}
                isLowest={one.pounds === lowest}
                disabled={!isCurrent}
                onChoose={() => showDay(one.date)}
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

interface DayChoiceProps extends CheapestDate {
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
      <span>{`${shortDay(date)} `}</span>
      <strong>{formatWholePounds(poundsToPence(pounds))}</strong>
      <small>{isLowest ? ' lowest' : isChosen ? ' your day' : ''}</small>
    </button>
  );
}

/** 'Sat 1 May'. */
function shortDay(date: CalendarDate): string {
  const [weekday = '', day = '', month = ''] = formatSpokenDate(date).split(' ');
  return `${weekday.slice(0, 3)} ${day} ${month.slice(0, 3)}`;
}
