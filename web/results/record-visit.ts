import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { tellOperator } from '../vitals/send-beacon.ts';

/**
 * Tells the operator that somebody went to a provider's site, with the price that the card showed: so shown prices
 * can be held against the provider's.
 */
export function recordVisit(endpoint: string | null, { ItemKey, PriceDetails }: PackageHoliday): void {
  if (endpoint !== null) tellOperator(endpoint, { itemKey: ItemKey, price: PriceDetails.TotalPrice });
}
