import { useEffect, useMemo, useRef, useState } from 'react';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { aboutDistance } from '../../domain/distance-words.ts';
import { formatPounds } from '../../domain/money.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { sortPackages } from '../../domain/sort-and-page.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { lazyCode } from '../ui/lazy-part.tsx';
import { StarRating } from './StarRating.tsx';

const HolidayMap = lazyCode(() => import('../map/HolidayMap.tsx')).part((code) => code.HolidayMap);

/** Where the map stands beside the cards. Elsewhere it covers the screen, so a pin opens a card over it. */
const BESIDE_CARDS = '(min-width: 1200px)';

/** The loaded results on a map. A pin opens its card, on any page. The pin of the card in use is marked. */
export function ResultsMap() {
  const { state, config, showPage } = useSearchContext();
  const { results, shown } = state;
  const { sortBy, perPage, currentPage } = shown;
  const [selected, select] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const [wanted, want] = useState<string | null>(null);
  const sorted = useMemo(
    () => sortPackages(results?.packages ?? [], sortBy, results?.scores ?? null),
    [results, sortBy],
  );
  const pins = useMemo(
    () =>
      sorted.flatMap(({ ItemKey, HotelDetails, PriceDetails }) => {
        const { HotelName: name, Latitude: latitude, Longitude: longitude } = HotelDetails;
        if (latitude === null || longitude === null) return [];
        const pounds = PriceDetails.TotalPrice;
        return [{ key: ItemKey, name, pounds, price: formatPounds(pounds), latitude, longitude }];
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
    const card = wanted === null ? null : cardOf(wanted);
    if (card === null) return;
    want(null);
    // Runs after another page has moved the focus.
    queueMicrotask(() => openCard(card));
  });

  function openInList(key: string) {
    setOver(false);
    want(key);
    const page = 1 + Math.floor(sorted.findIndex(({ ItemKey }) => ItemKey === key) / perPage);
    if (page !== currentPage) showPage(page);
  }
  function open(key: string) {
    select(key);
    if (matchMedia(BESIDE_CARDS).matches) openInList(key);
    else setOver(true);
  }

  const chosen = isOver ? sorted.find(({ ItemKey }) => ItemKey === selected) : undefined;
  return (
    <>
      <button
        type="button"
        className="skip-map"
        onClick={() => document.querySelector<HTMLElement>('.results-list button')?.focus()}
      >
        Skip the map
      </button>
      <HolidayMap
        label="Map of results"
        pins={pins}
        subject={results?.trip ?? ''}
        selected={selected}
        onOpen={open}
        ownTiles={config.mapTiles}
        note={`Prices ${WITH_CHARGES}.`}
        fallback={<div className="holiday-map" />}
      >
        {chosen && (
          <MapCard
            key={chosen.ItemKey}
            holiday={chosen}
            onOpen={() => openInList(chosen.ItemKey)}
            onClose={() => setOver(false)}
          />
        )}
      </HolidayMap>
    </>
  );
}

interface MapCardProps {
  holiday: PackageHoliday;
  onOpen: () => void;
  onClose: () => void;
}

/** The chosen holiday, over the map. */
function MapCard({ holiday, onOpen, onClose }: MapCardProps) {
  const { HolidayResort, Duration, HotelDetails, PriceDetails } = holiday;
  const { HotelName, StarRating: stars, SeaDistance: sea } = HotelDetails;
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.focus(), []);
  return (
    <section ref={card} className="map-card" tabIndex={-1} aria-label={HotelName}>
      <p>
        <b>{HotelName}</b> <StarRating stars={stars} />
        <br />
        {[HolidayResort, sea !== null && `${aboutDistance(sea).toLowerCase()} from the sea`]
          .filter(Boolean)
          .join(', ')}
      </p>
      <p>
        <b>{formatPounds(PriceDetails.TotalPrice)}</b> {`total, ${Duration} nights`}
      </p>
      <p className="map-card-acts">
        <button type="button" className="button-action" onClick={onOpen}>
          See this holiday
        </button>
        <button type="button" className="button-quiet" onClick={onClose}>
          Close
        </button>
      </p>
    </section>
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
