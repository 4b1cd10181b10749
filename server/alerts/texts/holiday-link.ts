import { londonClock } from '../../../domain/london-time.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import type { Watch } from '../tables/watches.ts';

/** The parameter of links in messages. The server counts the click, and removes the parameter. */
export const FROM_AN_ALERT = ['alert', '1'] as const;

interface LinkOptions {
  /** The query of a flexible search that finds the package; null: its own place, day and nights. */
  search: string | null;
  /** For links in messages: whether clicks are counted. */
  isCounted?: boolean;
}

/** A watch's flexible search, until its day can no longer be searched for. */
export function usableSearch({ search }: Pick<Watch, 'search'>, now: number): string | null {
  const date = new URLSearchParams(search ?? '').get('date') ?? '';
  return date > londonClock(now).day ? search : null;
}

/** A link to a package's search with its card marked (docs/contracts/results-address.md). Null: no site URL. */
export function holidayLink(
  siteUrl: string | null,
  onSale: PackageOnSale,
  { search, isCounted = true }: LinkOptions,
): string | null {
  if (siteUrl === null) return null;
  return searchLink(siteUrl, search ?? searchOf(onSale), onSale.itemKey, isCounted);
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

function searchLink(siteUrl: string, search: string, itemKey: string | null, isCounted = true): string {
  const parameters = new URLSearchParams(search);
  if (itemKey !== null) parameters.set('holiday', itemKey);
  if (isCounted) parameters.set(...FROM_AN_ALERT);
  return `${siteUrl}/results?${parameters.toString().replaceAll('%3A', ':')}`;
}
