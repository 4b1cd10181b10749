import { useQuery } from '@tanstack/react-query';
import * as v from 'valibot';
import { addDays, clampToWindow, departureDate, departureWindow } from '../../domain/calendar-date.ts';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { formatPounds, formatWholePounds } from '../../domain/money.ts';
import { toRefinements } from '../../domain/refinements.ts';
import { hasFilters, NO_FILTERS } from '../../domain/result-filters.ts';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { TIMEOUT_MS, useDayPrices } from '../search/day-prices.ts';
import { spanFilters } from '../search/price-month.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { fetchEach, serviceKey } from '../search/search-service.ts';
import { currentSearch } from '../search/search-state.ts';
import { type HolidaySearch, toSearchUrl } from '../search/search-url.ts';
import { useExplorePrices } from '../search/use-explore-prices.ts';
import { PageLink } from '../ui/PageLink.tsx';
import { activeFilters } from './filters/filter-groups.ts';
import { useFilterNames } from './filters/use-filter-names.ts';
import { offersByKind, offersOf, otherTrips, placeOffers } from './other-trips.ts';

/** What there is instead of an empty search, each with its lowest price: with fewer filters, or else another trip. */
export function EmptyOffers() {
  const { state, config } = useSearchContext();
  const search = currentSearch(state);
  if (!hasFilters(search)) return <TripOffers search={search} />;
  return config.facets && <FilterOffers search={search} />;
}

interface OffersProps {
  search: HolidaySearch;
}

const LOOKING = <p role="status">Looking for what there is instead...</p>;

const WITHOUT_FILTER = {
  name: 'searchPackages',
  types: { filters: 'PackageSearchFilters!', refine: 'SearchRefinements' },
  further: ', limit: 1',
  selection: '{ count items { TotalPrice } }',
  schema: v.object({ count: v.number(), items: v.array(v.object({ TotalPrice: v.number() })) }),
};

/** The number of hotels without each of the filters, and without all. */
function FilterOffers({ search }: OffersProps) {
  const { config } = useSearchContext();
  const names = useFilterNames();
  const active = activeFilters(search, names, 'filter');
  const all = active.length > 1 ? [{ words: 'filters', cleared: NO_FILTERS }] : [];
  const wider = [...active.slice(0, 9), ...all].map(({ words, cleared }) => ({
    words,
    search: { ...search, ...cleared, page: 1 },
  }));
  const each = wider.flatMap((without) => {
    const filters = buildSearchFilters(without.search, config.brandCode);
    return filters === null ? [] : [{ filters, refine: toRefinements(without.search.refine) }];
  });
  const { data, isPending } = useQuery({
    queryKey: ['without-filters', ...serviceKey(config), each],
    queryFn: ({ signal }) => fetchEach(config, WITHOUT_FILTER, each, { signal, timeoutMs: TIMEOUT_MS }),
    meta: { what: 'The results without filters' },
  });
  if (isPending) return LOOKING;
  const offers = wider.flatMap(({ words, search: without }, nth) => {
    const { count, items: [cheapest] = [] } = data?.[nth] ?? { count: 0 };
    if (count === 0 || cheapest === undefined) return [];
    const hotels = without.refine.hotelcode ? 'results' : count === 1 ? 'hotel' : 'hotels';
    const found = `Without ${words}: ${count} ${hotels}`;
    return [{ words: found, price: formatPounds(cheapest.TotalPrice), url: toSearchUrl(without) }];
  });
  if (offers.length === 0) return <TripOffers search={{ ...search, ...NO_FILTERS }} />;
  return <Offers groups={[['Fewer filters', offers]]} />;
}

/** How far other airports' and nights' days may be from the search's. */
const DAYS_EITHER_SIDE = 7;
const DAYS_OF_PLACES = 3;

function TripOffers({ search }: OffersProps) {
  const { state, config, today } = useSearchContext();
  const { departureAirport: airport, duration, party } = search;
  const date = departureDate(search.date, today);
  const window = departureWindow(today);
  const around = (days: number) => ({
    earliest: clampToWindow(addDays(date, -days), window),
    latest: clampToWindow(addDays(date, days), window),
  });
  const airports = state.airports.status === 'stored' ? state.airports.value : [];
  const trips = config.priceCalendar ? otherTrips(search, airports, config.parties) : [];
  const asked = trips.flatMap((trip) => {
    const span = trip.kind === 'Nearest days' ? window : around(DAYS_EITHER_SIDE);
    const filters = spanFilters({ ...search, ...trip.change }, span, config.brandCode);
    return filters === null ? [] : [{ trip, filters }];
  });
  const days = useDayPrices(
    config,
    asked.map(({ filters }) => filters),
  );
  const { earliest: first, latest: last } = around(DAYS_OF_PLACES);
  const hasPlaces = airport !== null && config.explore;
  const places = useExplorePrices(
    hasPlaces && !days.isPending ? { airport, span: { first, last }, nights: duration, party } : null,
    config,
  );

  if (days.isPending || (hasPlaces && places.isPending)) return LOOKING;
  const regions = places.data?.kind === 'regions' ? places.data.regions : [];
  const offers = [
    ...asked.flatMap(({ trip }, nth) => offersOf(trip, days.data?.[nth] ?? new Map(), date)),
    ...placeOffers(regions, search, date),
  ];
  if (offers.length === 0) return null;
  const groups = offersByKind(offers).map(
    ([kind, ofKind]): OfferGroup => [
      kind,
      ofKind.map(({ words, price, change }) => ({
        words,
        price: formatWholePounds(price),
        url: toSearchUrl({
          ...search,
          flexibility: { ...search.flexibility, days: 0 },
          ...change,
          page: 1,
        }),
      })),
    ],
  );
  return <Offers groups={groups} />;
}

type OfferGroup = [title: string, offers: { words: string; price: string; url: string }[]];

function Offers({ groups }: { groups: OfferGroup[] }) {
  return (
    <>
      <h3>What there is instead</h3>
      <p>{`Each at its lowest price, ${WITH_CHARGES}. The rest of your search stays.`}</p>
      {groups.map(([title, offers]) => (
        <section key={title} aria-label={title}>
          <h4>{title}</h4>
          <ul className="empty-offers">
            {offers.map(({ words, price, url }) => (
              <li key={url}>
                <PageLink className="chip-button" href={url} toTop>
                  {words} <span>{`from ${price}`}</span>
                </PageLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
