import { useEffect, useMemo, useRef, useState } from 'react';
import { formatPounds } from '../../domain/money.ts';
import { sortPackages } from '../../domain/sort-and-page.ts';
import { PinMap } from '../explore/map/maps.ts';
import { useSearchContext } from '../search/search-context.tsx';

/** The loaded results on a map. A pin opens its card, on any page. The pin of the card in use is marked. */
export function ResultsMap() {
  const { state, showPage } = useSearchContext();
  const { results, shown } = state;
  const { sortBy, perPage, currentPage } = shown;
  const [selected, select] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const sorted = useMemo(
    () => sortPackages(results?.packages ?? [], sortBy, results?.scores ?? null),
    [results, sortBy],
  );
  const pins = useMemo(
    () =>
      sorted.flatMap(({ ItemKey, HolidayCountry, HotelDetails, PriceDetails }) => {
        const { HotelName, Latitude, Longitude } = HotelDetails;
        if (Latitude === null || Longitude === null) return [];
        const price = formatPounds(PriceDetails.TotalPrice);
        const at = { latitude: Latitude, longitude: Longitude };
        return [{ key: ItemKey, name: HotelName, country: HolidayCountry, price, ...at }];
      }),
    [sorted],
  );
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const card = target instanceof Element ? target.closest('.results-list article') : null;
      const key = card?.querySelector<HTMLElement>('[data-price-analysis]')?.dataset.priceAnalysis;
      if (key !== undefined) select(key);
    };
    const events = ['focusin', 'pointerover'];
    for (const event of events) document.addEventListener(event, follow);
    return () => {
      for (const event of events) document.removeEventListener(event, follow);
    };
  }, []);
  useEffect(() => {
    const card = wanted.current === null ? null : cardOf(wanted.current);
    if (card === null) return;
    wanted.current = null;
    // Runs after another page has moved the focus.
    queueMicrotask(() => openCard(card));
  });

  function open(key: string) {
    select(key);
    wanted.current = key;
    const page = 1 + Math.floor(sorted.findIndex(({ ItemKey }) => ItemKey === key) / perPage);
    if (page !== currentPage) showPage(page);
  }

  return (
    <>
      <button
        type="button"
        className="skip-map"
        onClick={() => document.querySelector<HTMLElement>('.results-list button')?.focus()}
      >
        Skip the map
      </button>
      <PinMap pins={pins} selected={selected} onOpen={open} />
    </>
  );
}

function cardOf(itemKey: string): HTMLElement | null {
  const placeholder = document.querySelector(`[data-price-analysis="${CSS.escape(itemKey)}"]`);
  return placeholder?.closest('article') ?? null;
}

/** Marks one card, and moves the focus there. */
function openCard(card: HTMLElement): void {
  for (const other of document.querySelectorAll('.results-list [aria-current]'))
    other.removeAttribute('aria-current');
  card.setAttribute('aria-current', 'true');
  card.tabIndex = -1;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: 'center' });
}
