import type { CSSProperties } from 'react';
import type { CalendarDate } from '../../../domain/calendar-date.ts';
import { monthWords, weekdayName } from '../../../domain/day-words.ts';
import { DURATIONS, type Duration } from '../../../domain/duration.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import { cheapestOf, type DayPrices, daysOfMonth, type Month } from '../../search/price-month.ts';
import { widthInEms } from '../../ui/price-width.ts';
import { DayLink } from './DayLink.tsx';
import type { TripLinks } from './day-trip.ts';

interface PriceTableProps {
  month: Month;
  byNights: ReadonlyMap<Duration, DayPrices>;
  links: TripLinks;
}

/** The width of the mark after the cheapest price of a column. */
const MARK_EMS = 0.9;

/** Every price of the month, for all numbers of nights. */
export function PriceTable({ month, byNights, links }: PriceTableProps) {
  const columns = DURATIONS.map((nights) => {
    const prices: DayPrices = byNights.get(nights) ?? new Map();
    return { nights, prices, lowest: cheapestOf(prices)?.price };
  });
  const days = daysOfMonth(month).filter((day) => columns.some(({ prices }) => prices.has(day)));
  if (days.length === 0) return null;
  const all = columns.flatMap(({ prices }) => [...prices.values()]);
  const ems = MARK_EMS + Math.max(...all.map((price) => widthInEms(formatWholePounds(price))));
  return (
    <details className="price-table">
      <summary>{`Show all ${monthWords(month)} prices as a table`}</summary>
      <div>
        <table style={{ '--price-ems': ems } as CSSProperties}>
          <caption className="visually-hidden">
            {`Lowest prices in ${monthWords(month)}, by day and nights`}
          </caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {columns.map(({ nights }) => (
                <th key={nights} scope="col">
                  <span>{nights}</span>
                  <span className="unit"> nights</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day}>
                <th scope="row">{`${weekdayName(day).slice(0, 3)} ${Number(day.slice(8))}`}</th>
                {columns.map(({ nights, prices, lowest }) => (
                  <td key={nights}>
                    <PriceCell
                      trip={{ date: day, nights }}
                      price={prices.get(day)}
                      lowest={lowest}
                      links={links}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface PriceCellProps {
  trip: { date: CalendarDate; nights: Duration };
  price: Pence | undefined;
  lowest: Pence | undefined;
  links: TripLinks;
}

function PriceCell({ trip, price, lowest, links }: PriceCellProps) {
  if (price === undefined) return <span className="visually-hidden">none</span>;
  return (
    <DayLink trip={trip} price={price} isCheapest={price === lowest} links={links}>
      {formatWholePounds(price)}
    </DayLink>
  );
}
