import { useEffect, useEffectEvent, useId, useState } from 'react';
import { WITH_CHARGES } from '../../../domain/charge-words.ts';
import { readPounds } from '../../../domain/money.ts';
import type { PriceRanges } from './filter-groups.ts';
import { TypedField } from './TypedField.tsx';

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

/**
 * A histogram over a slider with two thumbs, and a field for the highest price. A thumb's change applies when it is released,
 * or soon after a key.
 */
export function PriceGroup({ legend, prices, chosen, people, onChange }: PriceGroupProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [isEach, setEach] = useState(false);
  const unitName = useId();
  const least = prices[0]?.from ?? 0;
  const most = prices.at(-1)?.to ?? 0;
  const [from = least, to = most] = (draft ?? chosen[0])?.split('-').map(Number) ?? [];
  const tallest = Math.max(...prices.map(({ count }) => count), 1);
  const each = isEach ? people : 1;
  const perUnit = (total: number) => Math.round(total / each);
  const words = (total: number) => `£${perUnit(total).toLocaleString('en-GB')}`;
  const unit = isEach ? 'per person' : WITH_CHARGES;
  const limit = (to: number) => {
    const range = from <= least && to >= most ? undefined : `${from}-${to}`;
    if (range !== chosen[0]) onChange(range === undefined ? [] : [range]);
  };
  const apply = () => {
    if (draft === null) return;
    setDraft(null);
    limit(to);
  };
  const applyTyped = (text: string) => {
    const pounds = text === '' ? most : readPounds(text);
    if (pounds === null) return { error: 'Enter whole pounds, such as 400' };
    if (pounds < perUnit(from))
      return { error: `Enter at least ${words(from)}, the lowest price ${from > least ? 'chosen' : 'here'}` };
    const total = Math.max(from, pounds * each);
    limit(Math.min(total, most || total));
    return { text: text === '' || total >= most ? '' : String(pounds) };
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
          {[false, true].map((isPerson) => (
            <label key={String(isPerson)} className="filter-option">
              <input
                type="radio"
                name={unitName}
                checked={isEach === isPerson}
                onChange={() => setEach(isPerson)}
              />
              <span>{isPerson ? 'Per person' : 'Total'}</span>
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
      <TypedField
        type="text"
        label={`Up to (£ ${isEach ? 'per person' : 'total'})`}
        placeholder="Any price"
        value={to < most ? String(perUnit(to)) : ''}
        onApply={applyTyped}
      />
    </fieldset>
  );
}
