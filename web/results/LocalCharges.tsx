import { formatPlainDate } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { ChargePart } from '../../domain/package-search-item.ts';

interface LocalChargesProps {
  charges: PackageHoliday['LocalCharges'];
  /** '' if there is no name. */
  provider: string;
}

/** How much goes to the provider and how much to the hotel. Empty without such charges. */
export function LocalCharges({ charges, provider }: LocalChargesProps) {
  if (charges === undefined || charges.Total === 0) return null;
  const { ProviderPrice, Total, Parts } = charges;
  if (Total === null) return <p className="local-charges">Local charges unknown</p>;
  const names = [...new Set(Parts.map(({ Name }) => Name))].join(', ');
  const what = names === '' ? '' : ` (${names})`;
  const line = `${formatPounds(ProviderPrice)} to ${provider || 'the provider'}, about ${formatPounds(Total)} at the hotel${what}`;
  const rates = Parts.flatMap((part) => rateWords(part) ?? []);
  if (rates.length === 0) return <p className="local-charges">{line}</p>;
  return (
    <details className="local-charges">
      <summary>{line}</summary>
      {rates.map((rate) => (
        <p key={rate}>{rate}</p>
      ))}
    </details>
  );
}

/** 'tourist tax: €39.20 at €1.15 to the pound (2 November 2026)'; null without a conversion. */
function rateWords({ Name, Currency, Amount, PerPound, RateDate }: ChargePart): string | null {
  if (Amount === null || PerPound === null || RateDate === null || !/^[A-Z]{3}$/.test(Currency)) return null;
  const money = (value: number, digits: number) =>
    value.toLocaleString('en-GB', { style: 'currency', currency: Currency, maximumFractionDigits: digits });
  return `${Name}: ${money(Amount, 2)} at ${money(PerPound, 4)} to the pound (${formatPlainDate(RateDate)})`;
}
