import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import type { CalendarDate } from '../../../domain/calendar-date.ts';
import { formatSpokenDate, weekdayName } from '../../../domain/day-words.ts';
import type { Duration } from '../../../domain/duration.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import { cheapestOf, type DayPrices } from '../../search/price-month.ts';
import { DayLink } from './DayLink.tsx';
import type { TripLinks } from './day-trip.ts';
import { moveAmongDays } from './move-among-days.ts';
import { plotScale } from './plot-scale.ts';

interface DayPlotProps {
  days: readonly CalendarDate[];
  nights: Duration;
  prices: DayPrices;
  links: TripLinks;
}

/** A bar for each day of a month. Tab reaches one bar, and arrow keys move between them. */
export function DayPlot({ days, nights, prices, links }: DayPlotProps) {
  const list = useRef<HTMLOListElement>(null);
  const [active, setActive] = useState<CalendarDate | null>(null);
  const [shown, setShown] = useState<CalendarDate | null>(null);
  const cheapest = cheapestOf(prices);
  const priced = days.filter((day) => prices.has(day));
  const isChosenHere = links.chosen.nights === nights && prices.has(links.chosen.date);
  const tabStop = active ?? (isChosenHere ? links.chosen.date : (cheapest?.days[0] ?? null));
  const { top, step } = plotScale(prices.values());

  function handleKey(event: KeyboardEvent) {
    if (tabStop === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = moveAmongDays(priced, tabStop, event.key);
    if (target === null) return;
    event.preventDefault();
    setActive(target);
    list.current?.querySelector<HTMLElement>(`[data-day="${target}"] a`)?.focus();
  }

  return (
    <>
      <p className="plot-readout" aria-hidden="true">
        {prices.size > 0 && (shown === null ? `Grid lines every ${formatWholePounds(step)}` : readout(shown))}
      </p>
      <ol
        ref={list}
        className="day-plot"
        aria-label="Prices by day"
        style={{ '--line-every': step / top } as CSSProperties}
        onKeyDown={handleKey}
        onPointerLeave={() => setShown(null)}
      >
        {days.map((day) => {
          const price = prices.get(day);
          return (
            <li
              key={day}
              data-day={day}
              style={{ '--share': (price ?? 0) / top } as CSSProperties}
              onPointerEnter={() => setShown(price === undefined ? null : day)}
            >
              {price === undefined ? (
                <span className="plot-cell">
                  <DayNumber day={day} />
                </span>
              ) : (
                <DayLink
                  className="plot-cell"
                  trip={{ date: day, nights }}
                  price={price}
                  isCheapest={price === cheapest?.price}
                  links={links}
                  tabIndex={day === tabStop ? 0 : -1}
                  onFocus={() => {
                    setActive(day);
                    setShown(day);
                  }}
                  onBlur={() => setShown(null)}
                >
                  <span className="plot-bar" />
                  <DayNumber day={day} />
                </DayLink>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );

  function readout(day: CalendarDate): string {
    const price: Pence | undefined = prices.get(day);
    return price === undefined ? '' : `${formatSpokenDate(day)}: ${formatWholePounds(price)}`;
  }
}

function DayNumber({ day }: { day: CalendarDate }) {
  return (
    <span className="plot-day" data-weekday={weekdayName(day).slice(0, 1)}>
      {Number(day.slice(8))}
    </span>
  );
}
