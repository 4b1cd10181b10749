import { useEffect, useRef, useState } from 'react';
import { type CalendarDate, dayNumber } from '../../domain/calendar-date.ts';
import { formatBriefDay } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import { dayTicks, priceTicks, withoutGaps } from './plot-scales.ts';

const HEIGHT = 200;

/** Room for the labels of the axes, in pixels. */
const LEFT = 66;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 28;

/** Between the labels of days, in pixels. */
const MIN_LABEL_DISTANCE = 78;

/** Drawn at its actual width, so that labels keep their size on a phone. */
export function PricePlot({ history, label }: { history: PriceHistoryResponse; label: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={frame} className="price-plot" style={{ minBlockSize: HEIGHT }}>
      {width > 0 && <Drawing history={history} label={label} width={width} />}
    </div>
  );
}

function Drawing({ history, label, width }: { history: PriceHistoryResponse; label: string; width: number }) {
  const { prices, from, to, lowest30, typical } = history;
  const amounts = [...prices.map(({ price }) => price), ...(typical ? [typical.low, typical.high] : [])];
  // The margin gives a single price an axis of more than a pound.
  const ticks = priceTicks(Math.min(...amounts) * 0.98, Math.max(...amounts) * 1.02, 4);
  const [bottom = 0, top = 1] = [ticks[0], ticks.at(-1)];
  const days = dayNumber(to) - dayNumber(from);
  const x = (day: CalendarDate) =>
    LEFT + ((dayNumber(day) - dayNumber(from)) / days) * (width - LEFT - RIGHT);
  const y = (price: number) => TOP + (1 - (price - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
  const labels = Math.max(2, Math.min(5, Math.floor((width - LEFT - RIGHT) / MIN_LABEL_DISTANCE)));
  const runs = withoutGaps(prices);
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} role="img" aria-label={label}>
      {typical !== null && (
        <rect
          className="plot-band"
          x={LEFT}
          y={y(typical.high)}
          width={width - LEFT - RIGHT}
          height={Math.max(2, y(typical.low) - y(typical.high))}
        />
      )}
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="plot-line" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {formatPounds(tick)}
          </text>
        </g>
      ))}
      {dayTicks(from, to, labels).map((day, nth) => (
        <text
          key={day}
          x={x(day)}
          y={HEIGHT - 8}
          textAnchor={nth === 0 ? 'start' : nth === labels - 1 ? 'end' : 'middle'}
        >
          {formatBriefDay(day)}
        </text>
      ))}
      {runs.map((run) => (
        <polyline
          key={run[0]?.day}
          className="plot-prices"
          points={run.map(({ day, price }) => `${x(day)},${y(price)}`).join(' ')}
        />
      ))}
      {runs.map(
        ([point, next]) =>
          point &&
          !next && (
            <circle key={point.day} className="plot-alone" cx={x(point.day)} cy={y(point.price)} r={2.5} />
          ),
      )}
      {lowest30 !== null && (
        <circle className="plot-lowest" cx={x(lowest30.day)} cy={y(lowest30.price)} r={5} />
      )}
    </svg>
  );
}
