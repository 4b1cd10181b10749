import { areChargesExact, chargeLine, chargePartWords } from '../../domain/charge-words.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';

interface LocalChargesProps {
  holiday: PackageHoliday;
  /** '' if there is no name. */
  provider: string;
  /** Whether the parts, rates and sources are on the hotel's page instead. */
  hasPage: boolean;
}

/** How much goes to the provider and how much to the hotel, with rates and sources. Empty without such charges. */
export function LocalCharges({ holiday, provider, hasPage }: LocalChargesProps) {
  const line = chargeLine(holiday, provider);
  const charges = holiday.LocalCharges;
  const parts = charges?.Parts ?? [];
  if (line === null || (hasPage && charges && areChargesExact(charges))) return null;
  if (parts.length === 0 || hasPage) return <p className="local-charges">{line}</p>;
  return (
    <details className="local-charges">
      <summary>{line}</summary>
      {parts.map((part) => (
        <p key={part.Name + part.Currency}>
          <span>{chargePartWords(part)}</span>
          {part.Source !== '' && (
            <>
              <span>. Source: </span>
              <a href={part.Source} target="_blank" rel="noopener noreferrer">
                {new URL(part.Source).hostname}
              </a>
            </>
          )}
        </p>
      ))}
    </details>
  );
}
