import { createHash } from 'node:crypto';
import type { HolidayProvider } from './map/holiday-providers.ts';

/** A digest of the provider's settings that decide what its packages say and lead to. */
export function settingsOf(provider: HolidayProvider): string {
  const { name, linkHosts, upgradeHosts, linkTemplate, hotelCodes, pricesIncludeLocalCharges } = provider;
  const settings = [name, linkHosts, upgradeHosts, linkTemplate, hotelCodes, pricesIncludeLocalCharges];
  return digestOf(JSON.stringify(settings));
}

export function digestOf(text: string | null): string {
  return text === null ? '' : createHash('sha256').update(text).digest('hex');
}
