import { useState } from 'react';
import { monthWords } from '../../domain/day-words.ts';
import { formatWholePounds } from '../../domain/money.ts';
import type { LowestPrice, PlacePrices } from '../search/place-prices.ts';
import { PageLink } from '../ui/PageLink.tsx';
import { resultsUrl } from './results-link.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** The sizes of the bars, in pixels. */
const BAR = { width: 5, gap: 2, height: 22, minHeight: 4 };

/** The cheapest month and a bar for each month. When opened, lists the months with links to their cheapest days. */
export function MonthPrices({ place, choice }: { place: PlacePrices; choice: ChosenExplore }) {
  const { months, lowest } = place;
  const [pressed, setPressed] = useState<LowestPrice | null>(null);
  if (months.length < 2) return null;
  const priceOf = (month: LowestPrice) => formatWholePounds(month.total);
  return (
    <details className="explore-months">
      <summary>
        <span>
          <span>{pressed === null ? 'Cheapest in ' : `${monthWords(pressed.date)} `}</span>
          <b>{pressed === null ? monthWords(lowest.date) : priceOf(pressed)}</b>
          <span className="visually-hidden">{`, ${place.region || place.country}: prices by month`}</span>
        </span>
        <MonthBars place={place} onPress={setPressed} />
      </summary>
      <ol>
        {months.map((month) => (
          <li key={month.date}>
            <PageLink href={resultsUrl(place, month, choice)} toTop>
              <span>{`${monthWords(month.date)} `}</span>
              <b>{priceOf(month)}</b>
            </PageLink>
          </li>
        ))}
      </ol>
    </details>
  );
}

interface MonthBarsProps {
  place: PlacePrices;
  onPress: (month: LowestPrice | null) => void;
}

/** Pressing a bar shows its price. The list of months, which keys and screen readers reach, has the same prices. */
function MonthBars({ place: { months, lowest }, onPress }: MonthBarsProps) {
  const highest = Math.max(...months.map(({ total }) => total));
  const step = BAR.width + BAR.gap;
  const width = months.length * step - BAR.gap;
  return (
    <svg
      onClick={(event) => {
        event.preventDefault();
        const across = event.clientX - event.currentTarget.getBoundingClientRect().left;
        onPress(months[Math.floor((across / width) * months.length)] ?? null);
      }}
      className="explore-bars"
      width={width}
      height={BAR.height}
      viewBox={`0 0 ${width} ${BAR.height}`}
      aria-hidden="true"
      focusable="false"
    >
      {months.map(({ date, total }, index) => {
        const height = Math.max(BAR.minHeight, Math.round((total / highest) * BAR.height));
        return (
          <rect
            key={date}
            className={date === lowest.date ? 'is-cheapest' : undefined}
            x={index * step}
            y={BAR.height - height}
            width={BAR.width}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}
