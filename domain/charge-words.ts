import { formatPlainDate } from './day-words.ts';
import { formatPounds, poundsToPence } from './money.ts';
import type { LocalCharges, PackageHoliday } from './package-holiday.ts';
import type { ChargePart } from './package-search-item.ts';

/** For a price that includes the charges that are known. */
export const WITH_CHARGES = 'with charges at the hotel';

/** What a price says about the charges payable at the hotel: their amount is in it, or unknown (null) and not in it. */
export function chargeWords(amount: number | null): string {
  if (amount === null) return 'plus charges at the hotel';
  return amount === 0 ? 'in total' : WITH_CHARGES;
}

type Priced = Pick<PackageHoliday, 'LocalCharges' | 'PriceDetails'>;

/** 'with about £16 at the hotel', or 'up to' the upper end of a range; null if the server says nothing about charges. */
export function priceNote({ LocalCharges: charges, PriceDetails }: Priced): string | null {
  if (charges === undefined) return null;
  if (charges.Total === null || charges.Total === 0) return chargeWords(charges.Total);
  return `with ${atHotel(PriceDetails.TotalPrice, charges)} at the hotel`;
}

/** Whether the note says all of the charges: there are none, or their amount is known. */
export function areChargesExact({ Total, Parts }: LocalCharges): boolean {
  return Total !== null && !isRange(Parts);
}

/** '£989 to Seaward, about £34 at the hotel (tourist tax)'; null if there is nothing to say. */
export function chargeLine({ LocalCharges: charges, PriceDetails }: Priced, provider: string): string | null {
  const seller = provider || 'the provider';
  if (charges === undefined || (charges.Total === 0 && charges.Parts.length === 0)) return null;
  const { ProviderPrice, Total, Parts } = charges;
  if (Total === null) return `We don’t know the charges at this hotel: ask it, or ${seller}`;
  if (Total === 0) return 'Nothing to pay at the hotel';
  const line = `${formatPounds(ProviderPrice)} to ${seller}, ${atHotel(PriceDetails.TotalPrice, charges)} at the hotel`;
  const names = Parts.map(({ Name, How }) => (How === '' ? Name : `${Name}: ${How}`));
  return names.length === 0 ? line : `${line} (${[...new Set(names)].join('; ')})`;
}

/** 'tourist tax: €39.20 at €1.15 to the pound (2 November 2026; rates change), as of 28 November 2026' */
export function chargePartWords(part: ChargePart): string {
  const { Name, Currency, Amount, PerPound, RateDate, PoundsFrom, IsLastKnown, CheckedOn } = part;
  const money = (value: number, digits: number) =>
    value.toLocaleString('en-GB', { style: 'currency', currency: Currency, maximumFractionDigits: digits });
  const hasRate = Amount !== null && PerPound !== null && RateDate !== null && /^[A-Z]{3}$/.test(Currency);
  const words = [
    hasRate &&
      `${PoundsFrom === null ? '' : 'up to '}${money(Amount, 2)} at ${money(PerPound, 4)} to the pound (${formatPlainDate(RateDate)}; rates change)`,
    IsLastKnown && 'last known rate',
    CheckedOn !== null && `as of ${formatPlainDate(CheckedOn)}`,
  ].filter(Boolean);
  return words.length === 0 ? Name : `${Name}: ${words.join(', ')}`;
}

function isRange(parts: readonly ChargePart[]): boolean {
  return parts.some(({ PoundsFrom }) => PoundsFrom !== null);
}

/** 'about £16': the whole pounds by which the shown total exceeds the shown part of the provider. */
function atHotel(total: number, { ProviderPrice, Parts }: LocalCharges): string {
  const whole = (pounds: number) => Math.floor((poundsToPence(pounds) + 50) / 100);
  const rest = whole(total) - whole(ProviderPrice);
  if (rest === 0) return 'less than £1';
  return `${isRange(Parts) ? 'up to' : 'about'} ${formatPounds(rest)}`;
}
