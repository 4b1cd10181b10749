import { londonClock } from '../../../domain/london-time.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import type { Watch } from '../tables/watches.ts';

/** A watch's flexible search, until its day can no longer be searched for. */
export function usableSearch({ search }: Pick<Watch, 'search'>, now: number): string | null {
  const date = new URLSearchParams(search ?? '').get('date') ?? '';
  return date > londonClock(now).day ? search : null;
}

/**
 * The results in which a watched search finds a package: the search itself, or its day alone where the watch covers
 * more days or nights than a search's address can.
 */
export function linkOfSearch(
  itemKey: string,
  { departure, nights, country, region, resort }: PackageOnSale,
): string {
  const parameters = new URLSearchParams(itemKey.slice(1));
  if (!parameters.has('until')) return parameters.toString();
  parameters.delete('until');
  parameters.delete('alert');
  parameters.set('date', departure);
  parameters.set('nights', String(nights));
  if (!['country', 'region', 'resort'].some((name) => parameters.has(name)))
    for (const [name, value] of Object.entries({ country, region, resort })) parameters.set(name, value);
  return parameters.toString();
}

/**
 * A link to a package with its card marked (docs/contracts/results-address.md): in a flexible search that finds
 * it, or else in the search for its own place, day and nights. Null: no site URL.
 */
export function holidayLink(
  siteUrl: string | null,
  onSale: PackageOnSale,
  search: string | null,
): string | null {
  return holidayLinks(siteUrl, onSale, search)[0] ?? null;
}

/**
 * Links to a package, best and longest first: to the flexible search, if any, and to the package's own search,
 * both with its card marked; to its own search without the mark; and to the page.
 */
export function holidayLinks(siteUrl: string | null, onSale: PackageOnSale, search: string | null): string[] {
  if (siteUrl === null) return [];
  const { itemKey } = onSale;
  const own = searchOf(onSale);
  return [
    ...(search === null ? [] : [searchLink(siteUrl, search, itemKey)]),
    searchLink(siteUrl, own, itemKey),
    searchLink(siteUrl, own, null),
    `${siteUrl}/`,
  ];
}

function searchOf({ country, region, resort, airport, departure, nights, board }: PackageOnSale): string {
  const places = Object.entries({ country, region, resort }).filter(([, name]) => name !== '');
  const others = { from: airport, date: departure, nights: String(nights), board };
  return new URLSearchParams([...places, ...Object.entries(others)]).toString();
}

function searchLink(siteUrl: string, search: string, itemKey: string | null): string {
  const parameters = new URLSearchParams(search);
  if (itemKey !== null) parameters.set('holiday', itemKey);
  return `${siteUrl}/results?${parameters.toString().replaceAll('%3A', ':')}`;
}
