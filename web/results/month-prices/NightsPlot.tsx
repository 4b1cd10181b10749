import type { CSSProperties } from 'react';
import { DURATIONS, type Duration } from '../../../domain/duration.ts';
import { formatWholePounds } from '../../../domain/money.ts';
import { cheapestOf, type DayPrices } from '../../search/price-month.ts';
import { plotScale } from './plot-scale.ts';

interface NightsPlotProps {
  byNights: ReadonlyMap<Duration, DayPrices>;
  chosen: Duration;
  onChoose: (nights: Duration) => void;
}

/** The lowest price of the month for each number of nights, and the choice of one for the plot by day. */
export function NightsPlot({ byNights, chosen, onChoose }: NightsPlotProps) {
  const lowest = DURATIONS.map((nights) => cheapestOf(byNights.get(nights) ?? new Map())?.price ?? null);
  const { top } = plotScale(lowest.filter((price) => price !== null));
  return (
    <fieldset className="nights-plot">
      <legend>How long</legend>
      {DURATIONS.map((nights, nth) => {
        const price = lowest[nth] ?? null;
        return (
          <button
            key={nights}
            type="button"
            aria-pressed={nights === chosen}
            style={{ '--share': price === null ? 0 : price / top } as CSSProperties}
            onClick={() => onChoose(nights)}
          >
            <span>{`${nights} nights`}</span>
            <strong>{price === null ? '' : ` from ${formatWholePounds(price)}`}</strong>
          </button>
        );
      })}
    </fieldset>
  );
}
