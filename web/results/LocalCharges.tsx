import { chargeWords } from '../../domain/charge-words.ts';
import { formatPlainDate } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { ChargePart } from '../../domain/package-search-item.ts';

interface LocalChargesProps {
  holiday: PackageHoliday;
  /** '' if there is no name. */
  provider: string;
}

/** How much goes to the provider and how much to the hotel, with rates and sources. Empty without such charges. */
export function LocalCharges({
  holiday: { LocalCharges: charges, PriceDetails },
  provider,
}: LocalChargesProps) {
  if (charges === undefined) return null;
  const { ProviderPrice, Total, Parts } = charges;
  const seller = provider || 'the provider';
  if (Total === null)
    return <p className="local-charges">{`We don’t know the charges at this hotel: ask it, or ${seller}`}</p>;
  if (Total === 0 && Parts.length === 0) return null;
  const names = [...new Set(Parts.map(({ Name, How }) => (How === '' ? Name : `${Name}: ${How}`)))].join(
    '; ',
  );
  const amount = atHotel(PriceDetails.TotalPrice, ProviderPrice);
  const line =
    Total === 0
      ? 'Nothing to pay at the hotel'
      : `${formatPounds(ProviderPrice)} to ${seller}, ${isRange(Parts) ? 'up to' : 'about'} ${amount} at the hotel`;
  const what = names === '' ? '' : ` (${names})`;
  if (Parts.length === 0) return <p className="local-charges">{line}</p>;
  return (
    <details className="local-charges">
      <summary>{line + what}</summary>
      {Parts.map((part) => (
        <p key={part.Name + part.Currency}>
          {partWords(part)}
          {part.Source !== '' && (
            <a href={part.Source} target="_blank" rel="noopener noreferrer">
              {` ${new URL(part.Source).hostname}`}
            </a>
          )}
          {part.CheckedOn !== null && `, read on ${formatPlainDate(part.CheckedOn)}`}
        </p>
      ))}
    </details>
  );
}

/** What the price says about charges at the hotel; null if the server says nothing about them. */
export function priceNote({ LocalCharges: charges, PriceDetails }: PackageHoliday): string | null {
  if (charges === undefined) return null;
  const { ProviderPrice, Total, Parts } = charges;
  return isRange(Parts)
    ? `with up to ${atHotel(PriceDetails.TotalPrice, ProviderPrice)} at the hotel`
    : chargeWords(Total);
}

function isRange(parts: readonly ChargePart[]): boolean {
  return parts.some(({ PoundsFrom }) => PoundsFrom !== null);
}

/** The whole pounds by which the shown total exceeds the shown part of the provider. */
function atHotel(total: number, provider: number): string {
  const [all, theirs] = [total, provider].map((pounds) =>
    Number(formatPounds(pounds).replaceAll(/[£,]/g, '')),
  );
  return all === theirs ? 'less than £1' : formatPounds((all ?? 0) - (theirs ?? 0));
}

/** 'tourist tax: €39.20 at €1.15 to the pound (2 November 2026; rates change). Source:' */
function partWords(part: ChargePart): string {
  const { Name, Currency, Amount, PerPound, RateDate, PoundsFrom, IsLastKnown, Source } = part;
  const money = (value: number, digits: number) =>
    value.toLocaleString('en-GB', { style: 'currency', currency: Currency, maximumFractionDigits: digits });
  const hasRate = Amount !== null && PerPound !== null && RateDate !== null && /^[A-Z]{3}$/.test(Currency);
  const words = [
    hasRate &&
      `${PoundsFrom === null ? '' : 'up to '}${money(Amount, 2)} at ${money(PerPound, 4)} to the pound (${formatPlainDate(RateDate)}; rates change)`,
    IsLastKnown && 'last known rate',
  ];
  const said = words.filter(Boolean).join(', ');
  return `${Name}${said && ': '}${said}.${Source && ' Source:'}`;
}
