import { chargeLine, chargePartWords } from '../../domain/charge-words.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';

interface LocalChargesProps {
  holiday: PackageHoliday;
  /** '' if there is no name. */
  provider: string;
}

/** How much goes to the provider and how much to the hotel, with rates and sources. Empty without such charges. */
export function LocalCharges({ holiday, provider }: LocalChargesProps) {
  const line = chargeLine(holiday, provider);
  const parts = holiday.LocalCharges?.Parts ?? [];
  if (line === null) return null;
  if (parts.length === 0) return <p className="local-charges">{line}</p>;
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
