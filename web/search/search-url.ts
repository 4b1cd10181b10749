import { linkParameters } from '../../domain/link-parameters.ts';
import {
  type HolidaySearch,
  readSearch,
  type SearchUrl,
  searchEntries,
} from '../../domain/search-address.ts';

export type { HolidaySearch, SearchTrip, SearchUrl, UnreadPart } from '../../domain/search-address.ts';

/** The URL of a search: '/results?country=Spain&from=LGW&date=2027-05-01&nights=7...'. */
export function toSearchUrl(search: HolidaySearch): string {
  return `/results?${new URLSearchParams(searchEntries(search)).toString().replaceAll('%3A', ':')}`;
}

/** Parses the query string of a URL, with or without its '?'. Never throws. */
export function parseSearchUrl(query: string): SearchUrl {
  return readSearch(new URLSearchParams(linkParameters(new URLSearchParams(query))));
}
