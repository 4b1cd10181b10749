import type { PackageHoliday } from '../../domain/package-holiday.ts';

/**
 * Tells the operator that somebody went to a provider's site, with the price that the card showed and no word of
 * who: so shown prices can be held against the provider's. Nobody waits for it, and nobody misses it.
 */
export function recordVisit(endpoint: string | null, { ItemKey, PriceDetails }: PackageHoliday): void {
  if (endpoint === null) return;
  fetch(endpoint, {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ itemKey: ItemKey, price: PriceDetails.TotalPrice }),
  }).catch(() => {});
}
