import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { PublishedPageData } from '../price-analysis/PublishedPageData.tsx';
import { useSearchContext } from '../search/search-context.tsx';
import { matchCount } from '../search/search-results.ts';
import { currentSearch } from '../search/search-state.ts';
import { restoreScroll } from '../ui/scroll-memory.ts';
import { useMedia } from '../ui/use-media.ts';
import { CheapestDates } from './CheapestDates.tsx';
import { EmptyHelp } from './EmptyHelp.tsx';
import { filtersCode } from './filters/filters-code.ts';
import { HolidayList } from './HolidayList.tsx';
import { OrderNote } from './OrderNote.tsx';
import { ResultsBar } from './ResultsBar.tsx';
import { PageSizeControl } from './ResultsControls.tsx';
import { HAS_RAIL, hasBar, type ResultsView } from './results-view.ts';
import { toolsCode } from './tools-code.ts';
import { atCheckedPrice, type CheckedPrice } from './use-price-check.ts';
import { WatchSearch } from './WatchSearch.tsx';

// Loaded as one file: see results-code.ts.
export { runSearch } from '../search/run-search.ts';
export { scorePrices } from '../search/score-prices.ts';
export { createSearchClient } from '../search/search-client.ts';
export { HeadlineNotes } from './HeadlineNotes.tsx';

const FilterSheet = filtersCode.part((code) => code.FilterSheet);
const ResultsMap = toolsCode.part((code) => code.ResultsMap);

/** As many cards as fill the first screen. */
const FIRST_CARDS = 3;

/** The results below their headline: filters, nearby dates, and the cards or suggestions. */
export function LoadedResults({ view }: { view: ResultsView }) {
  const { state, config, showPage } = useSearchContext();
  const { shown, airports, results } = state;
  const isWide = useMedia(HAS_RAIL);
  const isPhone = useMedia('(max-width: 48rem)');
  const [isFiltering, setFiltering] = useState(false);
  const [isMapped, setMapped] = useState(false);
  const hasPositions = results?.packages.some(({ HotelDetails }) => HotelDetails.Latitude !== null);
  const isUsable = hasBar(view, state);
  // New results show their first cards, then the others. The page data are published once all are there.
  const page = view.kind !== 'empty' && 'page' in view ? view.page : null;
  const isLoaded = page !== null;
  const [isWhole, setWhole] = useState(isLoaded);
  if (isWhole && !isLoaded) setWhole(false);
  useEffect(() => {
    if (isLoaded) startTransition(() => setWhole(true));
  }, [isLoaded]);
  const wholePage = isWhole ? page : null;
  // By holiday as found, so that a new search starts without answers.
  const [answers, setAnswers] = useState<ReadonlyMap<PackageHoliday, CheckedPrice>>(new Map());
  const onChecked = useCallback(
    (holiday: PackageHoliday, price: CheckedPrice) =>
      setAnswers((before) => new Map(before).set(holiday, price)),
    [],
  );
  const toPublish = 'page' in view && isWhole === isLoaded ? view.page : null;
  const published = useMemo(() => {
    if (toPublish === null || !toPublish.items.some((item) => answers.has(item))) return toPublish;
    const items = toPublish.items.map((item) => {
      const answer = answers.get(item);
      return answer === undefined ? item : atCheckedPrice(item, answer);
    });
    return { ...toPublish, items };
  }, [toPublish, answers]);
  useEffect(() => {
    if (wholePage !== null) restoreScroll();
  }, [wholePage]);
  // Close the sheet when it cannot be used, such as after a failed search.
  if (isFiltering && (!isUsable || isWide)) setFiltering(false);
  const totals = results?.packages.map(({ PriceDetails }) => PriceDetails.TotalPrice) ?? [];
  const hotelName =
    state.refine.hotelcode === undefined ? null : results?.packages[0]?.HotelDetails.HotelName;
  const watch = (
    <WatchSearch
      watched={{
        search: currentSearch(state),
        until: null,
        lowest: totals.length === 0 ? null : Math.min(...totals),
        hotelName: hotelName ?? null,
      }}
    />
  );
  return (
    <>
      {isUsable && (
        <ResultsBar
          canSort={view.kind !== 'empty'}
          onFilter={isWide ? undefined : () => setFiltering(true)}
          isMapped={isMapped}
          onMap={hasPositions ? () => setMapped(!isMapped) : undefined}
          watch={view.kind === 'empty' ? null : watch}
        />
      )}
      {isFiltering && (
        <FilterSheet
          found={view.kind === 'loading' || results === null ? null : matchCount(results)}
          onClose={() => setFiltering(false)}
        />
      )}
      {view.kind === 'empty' && <p className="results-watch">{watch}</p>}
      {view.kind === 'empty' && <EmptyHelp />}
      {page !== null && 'hasMore' in view && (
        <>
          <div className="results-order">
            <OrderNote />
            {!isPhone && <PageSizeControl />}
          </div>
          <CheapestDates />
          <HolidayList
            page={page}
            map={
              isMapped &&
              hasPositions && (
                <div className="results-map">
                  <ResultsMap />
                </div>
              )
            }
            shown={isWhole ? page.items.length : FIRST_CARDS}
            hasMore={view.hasMore}
            airports={airports.status === 'stored' ? airports.value : []}
            config={config}
            answers={answers}
            onChecked={onChecked}
            onPage={showPage}
          />
          {isPhone && <PageSizeControl />}
        </>
      )}
      <PublishedPageData page={published} sortBy={shown.sortBy} perPage={shown.perPage} config={config} />
    </>
  );
}
