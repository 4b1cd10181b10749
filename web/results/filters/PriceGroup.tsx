import { useEffect, useEffectEvent, useId, useState } from 'react';
import { WITH_CHARGES } from '../../../domain/charge-words.ts';
import type { PriceRanges } from './filter-groups.ts';

/** Keys move a thumb step by step: the price applies once none has been pressed for this time. */
const PAUSE_MS = 500;

interface PriceGroupProps {
  legend: string;
  prices: PriceRanges;
  /** At most one range of total prices, such as '300-900'. */
  chosen: readonly string[];
  /** The people who pay: a price per person is the total divided by their number. */
  people: number;
  onChange: (chosen: string[]) => void;
}

/** A histogram over a slider with two thumbs. A change applies when a thumb is released, or soon after a key. */
export function PriceGroup({ legend, prices, chosen, people, onChange }: PriceGroupProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [isEach, setEach] = useState(false);
  const unitName = useId();
  const least = prices[0]?.from ?? 0;
  const most = prices.at(-1)?.to ?? 0;
  const [from = least, to = most] = (draft ?? chosen[0])?.split('-').map(Number) ?? [];
  const tallest = Math.max(...prices.map(({ count }) => count), 1);
  const words = (total: number) => `£${Math.round(total / (isEach ? people : 1)).toLocaleString('en-GB')}`;
  const unit = isEach ? 'per person' : WITH_CHARGES;
  const apply = () => {
    if (draft === null) return;
    setDraft(null);
    onChange(from <= least && to >= most ? [] : [draft]);
  };
  const applyLater = useEffectEvent(apply);
  const [keysPressed, setKeysPressed] = useState(0);
  useEffect(() => {
    if (keysPressed === 0) return;
    const timer = setTimeout(() => applyLater(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [keysPressed]);
  const min = Math.min(least, from);
  const max = Math.max(most, to);
  const step = Math.max(1, Math.round((most - least) / 100));
  const thumb = (label: string, value: number, isOnTop: boolean, move: (value: number) => string) => (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={`${words(value)} ${unit}`}
      className={isOnTop ? 'is-on-top' : undefined}
      min={min}
      // A whole number of steps, so that the last step reaches the end.
      max={min + Math.ceil((max - min) / step) * step}
      step={step}
      value={value}
      onChange={({ target }) => setDraft(move(Math.min(Number(target.value), max)))}
      onPointerUp={apply}
      onKeyUp={() => setKeysPressed((count) => count + 1)}
      onBlur={apply}
    />
  );
  // In the upper half, the lower thumb is on top, so that it can be dragged back where both meet.
  const isLowerOnTop = from > (least + most) / 2;
  return (
    <fieldset className="filter-group">
      <legend>{legend}</legend>
      {people > 1 && (
        <div className="price-unit">
          {[false, true].map((each) => (
            <label key={String(each)} className="filter-option">
              <input type="radio" name={unitName} checked={isEach === each} onChange={() => setEach(each)} />
              <span>{each ? 'Per person' : 'Total'}</span>
            </label>
          ))}
        </div>
      )}
      <p className="price-range">{`${words(from)} to ${words(to)} ${unit}`}</p>
      <svg
        className="price-bars"
        viewBox={`0 0 ${prices.length} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {prices.map((range, nth) => (
          <rect
            key={range.from}
            className={range.to > from && range.from <= to ? 'is-in' : undefined}
            x={nth + 0.05}
            y={1 - range.count / tallest}
            width={0.9}
            height={range.count / tallest}
          />
        ))}
      </svg>
      <div className="price-slider">
        {thumb('Lowest price', from, isLowerOnTop, (value) => `${Math.min(value, to)}-${to}`)}
        {thumb('Highest price', to, false, (value) => `${from}-${Math.max(value, from)}`)}
      </div>
    </fieldset>
  );
}
