import type { PackageOnSale } from '../tables/package-lookup.ts';

/** The parameter of links in messages. The server counts the click, and removes the parameter. */
export const FROM_AN_ALERT = ['alert', '1'] as const;

/**
 * A link to a package's search with its card marked (docs/contracts/results-address.md); null without a site
 * URL. With `isCounted`, for links in messages, clicks are counted.
 */
export function holidayLink(
  siteUrl: string | null,
  onSale: PackageOnSale,
  { isCounted } = { isCounted: true },
): string | null {
  return siteUrl === null ? null : searchLink(siteUrl, onSale, { isCounted, isMarked: true });
}

/** Links to a package, best and longest first: with the card marked, without it, and to the page alone. */
export function holidayLinks(siteUrl: string | null, onSale: PackageOnSale): string[] {
  if (siteUrl === null) return [];
  const link = (isMarked: boolean) => searchLink(siteUrl, onSale, { isCounted: true, isMarked });
  return [link(true), link(false), `${siteUrl}/`];
}

function searchLink(
  siteUrl: string,
  onSale: PackageOnSale,
  { isCounted, isMarked }: { isCounted: boolean; isMarked: boolean },
): string {
  const { country, region, resort, airport, departure, nights, board, itemKey } = onSale;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ country, region, resort }))
    if (value !== '') parameters.append(name, value);
  parameters.append('from', airport);
  parameters.append('date', departure);
  parameters.append('nights', String(nights));
  parameters.append('board', board);
  if (isMarked) parameters.append('holiday', itemKey);
  if (isCounted) parameters.append(...FROM_AN_ALERT);
  return `${siteUrl}/results?${parameters.toString().replaceAll('%3A', ':')}`;
}
