import { formatPlainDate } from './day-words.ts';
import { formatPounds, poundsToPence } from './money.ts';
import type { PackageHoliday } from './package-holiday.ts';
import type { ChargePart } from './package-search-item.ts';

/** For a price that includes the charges that are known. */
export const WITH_CHARGES = 'with charges at the hotel';

/** What a price says about the charges payable at the hotel: their amount is in it, or unknown (null) and not in it. */
export function chargeWords(amount: number | null): string {
  if (amount === null) return 'plus charges at the hotel';
  return amount === 0 ? 'in total' : WITH_CHARGES;
}

type Priced = Pick<PackageHoliday, 'LocalCharges' | 'PriceDetails'>;

/** `chargeWords`, with the upper end of a range; null if the server says nothing about charges. */
export function priceNote({ LocalCharges: charges, PriceDetails }: Priced): string | null {
  if (charges === undefined) return null;
  return isRange(charges.Parts)
    ? `with up to ${atHotel(PriceDetails.TotalPrice, charges.ProviderPrice)} at the hotel`
    : chargeWords(charges.Total);
}

/** '£989 to Seaward, about £34 at the hotel (tourist tax)'; null if there is nothing to say. */
export function chargeLine({ LocalCharges: charges, PriceDetails }: Priced, provider: string): string | null {
  const seller = provider || 'the provider';
  if (charges === undefined || (charges.Total === 0 && charges.Parts.length === 0)) return null;
  const { ProviderPrice, Total, Parts } = charges;
  if (Total === null) return `We don’t know the charges at this hotel: ask it, or ${seller}`;
  if (Total === 0) return 'Nothing to pay at the hotel';
  const amount = `${isRange(Parts) ? 'up to' : 'about'} ${atHotel(PriceDetails.TotalPrice, ProviderPrice)}`;
  const line = `${formatPounds(ProviderPrice)} to ${seller}, ${amount} at the hotel`;
  const names = Parts.map(({ Name, How }) => (How === '' ? Name : `${Name}: ${How}`));
  return names.length === 0 ? line : `${line} (${[...new Set(names)].join('; ')})`;
}

/** 'tourist tax: €39.20 at €1.15 to the pound (2 November 2026; rates change), read on 28 November 2026' */
export function chargePartWords(part: ChargePart): string {
  const { Name, Currency, Amount, PerPound, RateDate, PoundsFrom, IsLastKnown, CheckedOn } = part;
  const money = (value: number, digits: number) =>
    value.toLocaleString('en-GB', { style: 'currency', currency: Currency, maximumFractionDigits: digits });
  const hasRate = Amount !== null && PerPound !== null && RateDate !== null && /^[A-Z]{3}$/.test(Currency);
  const words = [
    hasRate &&
      `${PoundsFrom === null ? '' : 'up to '}${money(Amount, 2)} at ${money(PerPound, 4)} to the pound (${formatPlainDate(RateDate)}; rates change)`,
    IsLastKnown && 'last known rate',
    CheckedOn !== null && `read on ${formatPlainDate(CheckedOn)}`,
  ].filter(Boolean);
  return words.length === 0 ? Name : `${Name}: ${words.join(', ')}`;
}

function isRange(parts: readonly ChargePart[]): boolean {
  return parts.some(({ PoundsFrom }) => PoundsFrom !== null);
}

/** The whole pounds by which the shown total exceeds the shown part of the provider. */
function atHotel(total: number, provider: number): string {
  const whole = (pounds: number) => Math.floor((poundsToPence(pounds) + 50) / 100);
  const rest = whole(total) - whole(provider);
  return rest === 0 ? 'less than £1' : formatPounds(rest);
}
