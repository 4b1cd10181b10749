import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { FLEXIBLE_DAYS } from '../../domain/flexibility.ts';
import { linkParameters } from '../../domain/link-parameters.ts';
import { formatPounds } from '../../domain/money.ts';
import { type PackageHoliday, toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import { partyWords } from '../../domain/party.ts';
import { parseRefine, toRefinements } from '../../domain/refinements.ts';
import { parseBoardBasis, parseStarRating } from '../../domain/result-filters.ts';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../../domain/search-with-facets-query.ts';
import type { Caller } from '../lib/caller.ts';
import { safeText } from '../lib/safe-text.ts';
import { askSearch } from '../package-search/graphql/ask-search.ts';
import type { ExecuteGraphql } from '../package-search/graphql/execute-graphql.ts';
import type { DescribeSearch } from '../page/shell-routes.ts';
import { readHotelSearch } from './hotel-search.ts';

/** The page does not wait longer than this for its description. */
const MAX_WAIT_MS = 150;

const HOLIDAYS = 3;

export interface DescriberOptions {
  executeGraphql: ExecuteGraphql;
  airports: readonly Airport[];
  brandCode: string;
  now: () => number;
}

/** Describes a results link by its three cheapest holidays. Null: there are none, or they take too long. */
export function searchDescriber({
  executeGraphql,
  airports,
  brandCode,
  now,
}: DescriberOptions): DescribeSearch {
  return async (words, query, caller) => {
    const nowMs = now();
    const { party } = readHotelSearch(query, airports, todayInLondon(nowMs));
    const variables = searchOf(query, airports, brandCode, nowMs);
    if (variables === null) return null;
    const holidays = await cheapest(variables, { ...caller, signal: inTime(caller.signal) }, nowMs).catch(
      () => [],
    );
    const [first] = holidays;
    if (first === undefined) return null;
    const named = holidays.map(
      ({ HotelDetails, PriceDetails }) =>
        `${safeText(HotelDetails.HotelName)} ${formatPounds(PriceDetails.TotalPrice)}`,
    );
    const [image = ''] = first.HotelDetails.HotelImages;
    return {
      title: `${words}: from ${formatPounds(first.PriceDetails.TotalPrice)}`,
      description: `${named.join(', ')}: flight and hotel for ${partyWords(party)}, ${WITH_CHARGES}.`,
      image,
    };
  };

  async function cheapest(variables: Variables, caller: Caller, nowMs: number): Promise<PackageHoliday[]> {
    const text = variables.refine === undefined ? SEARCH_PACKAGES_QUERY : SEARCH_WITH_FACETS_QUERY;
    const { searchPackages } = await askSearch(executeGraphql, caller)<{
      searchPackages: { items: unknown[] };
    }>(text, { ...variables, sortBy: 'PRICE_ASC', limit: HOLIDAYS });
    const mapping = { mappedAt: new Date(nowMs).toISOString(), brandCode };
    return searchPackages.items.flatMap((item) => {
      const parsed = parsePackageSearchItem(item);
      return parsed.kind === 'item' ? [toPackageHoliday(parsed.item, mapping)] : [];
    });
  }
}

interface Variables {
  filters: object;
  refine?: object;
}

/** The page's search of a link (docs/contracts/results-address.md). Null: a part is missing, so the page asks nothing. */
function searchOf(
  query: string,
  airports: readonly Airport[],
  brand: string,
  nowMs: number,
): Variables | null {
  const parameters = new URLSearchParams(linkParameters(new URLSearchParams(query)));
  const textOf = (name: string) => parameters.get(name)?.trim() ?? '';
  const { nights, party } = readHotelSearch(query, airports, todayInLondon(nowMs));
  const [duration, longest] = nights;
  const days = FLEXIBLE_DAYS.find((each) => String(each) === textOf('flex')) ?? 0;
  const places = parameters.getAll('or').map((text) => {
    const [country = '', region = '', resort = ''] = text.split('|');
    return [country, region, resort] as const;
  });
  const isFlexible = days > 0 || longest > duration || places.length > 0;
  const filters = buildSearchFilters(
    {
      destination: [textOf('country'), textOf('region'), textOf('resort')],
      departureAirport: findAirportSelection(airports, textOf('from')) ?? null,
      date: textOf('date'),
      duration,
      party,
      flexibility: { days, maxNights: isFlexible ? longest : null, places },
      boardBasis: parseBoardBasis(textOf('board')) ?? '',
      starRating: parseStarRating(textOf('stars')) ?? '',
    },
    brand,
  );
  const { refine } = parseRefine((name) => parameters.getAll(name));
  if (filters === null) return null;
  return Object.keys(refine).length === 0 ? { filters } : { filters, refine: toRefinements(refine) };
}

function inTime(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
}
