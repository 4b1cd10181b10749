import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { formatBriefDay, formatSpokenDate } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import { departureDay, type PackageHoliday } from '../../domain/package-holiday.ts';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import { type SearchService, serviceKey } from '../search/search-service.ts';
import { Modal } from '../ui/Modal.tsx';
import { fetchPriceHistory } from './fetch-price-history.ts';
import { PricePlot } from './PricePlot.tsx';
import './price-history.css';

interface PriceHistoryModalProps {
  holiday: PackageHoliday;
  service: SearchService;
  /** Opens the alert form with this limit in pounds; undefined if the site offers no alerts. */
  onLimit: ((below: number) => void) | undefined;
  onClose(): void;
}

/** A package's prices over 90 days, as a plot and a table. */
export function PriceHistoryModal({ holiday, service, onLimit, onClose }: PriceHistoryModalProps) {
  const { ItemKey } = holiday;
  const {
    data: history,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['price-history', ...serviceKey(service), ItemKey],
    queryFn: ({ signal }) => fetchPriceHistory(service, ItemKey, signal),
    meta: { what: 'The price history' },
  });
  const hasFailed = isError && !isFetching;
  return (
    <Modal title="Price history" size="middle" onClose={onClose}>
      <p className="price-history-holiday">
        {`${holiday.HotelDetails.HotelName}, ${holiday.Duration} nights from ${formatSpokenDate(departureDay(holiday))}`}
      </p>
      <div className="price-history" aria-busy={isFetching}>
        {history ? (
          <History history={history} onLimit={onLimit} />
        ) : (
          <p role="status">
            <span>{`${statusWords(history, hasFailed)} `}</span>
            {hasFailed && (
              <button type="button" className="link-button" onClick={() => void refetch()}>
                Try again
              </button>
            )}
          </p>
        )}
      </div>
    </Modal>
  );
}

function statusWords(history: null | undefined, hasFailed: boolean): string {
  if (history === null) return 'This holiday is no longer on sale.';
  return hasFailed ? 'We couldn’t load the prices.' : 'Loading prices...';
}

function History({
  history,
  onLimit,
}: {
  history: PriceHistoryResponse;
  onLimit: PriceHistoryModalProps['onLimit'];
}) {
  const [hasTable, setHasTable] = useState(false);
  const { prices, price, from, to, lowest30, typical, similar, sample } = history;
  const label = `Prices ${WITH_CHARGES}, from ${formatSpokenDate(from)} to ${formatSpokenDate(to)}, seen on ${prices.length} of 90 days. The table below lists them.`;
  return (
    <>
      <PricePlot history={history} label={label} />
      <ul className="price-history-key">
        <li>
          <span className="key-prices" />
          <span>{`Price ${WITH_CHARGES} on the days we saw it. Now `}</span>
          <strong>{formatPounds(price)}</strong>
        </li>
        {lowest30 !== null && (
          <li>
            <span className="key-lowest" />
            <span>Lowest in 30 days: </span>
            <strong>{formatPounds(lowest30.price)}</strong>
            <span>{` on ${formatBriefDay(lowest30.day)}`}</span>
          </li>
        )}
        {typical !== null && (
          <li>
            <span className="key-typical" />
            <span>4 in 5 holidays like this cost </span>
            <strong>{`${formatPounds(typical.low)} to ${formatPounds(typical.high)}`}</strong>
          </li>
        )}
      </ul>
      {sample && <p className="price-history-note">Earlier prices are made up for this demo.</p>}
      <details onToggle={(event) => setHasTable(event.currentTarget.open)}>
        <summary>Show as a table</summary>
        {hasTable && <PriceTable history={history} />}
      </details>
      {similar !== null && (
        <details>
          <summary>How we know</summary>
          <p>
            {`${similar.prices} holidays in ${similar.hotels} other hotels usually cost ${formatPounds(similar.median)} now: ${similar.comparedWith}.`}
          </p>
        </details>
      )}
      {onLimit !== undefined && <LimitForm price={price} onLimit={onLimit} />}
    </>
  );
}

function PriceTable({ history: { prices } }: { history: PriceHistoryResponse }) {
  return (
    <table>
      <caption>Price by day, newest first. Days without a price are left out.</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {[...prices].reverse().map(({ day, price }) => (
          <tr key={day}>
            <th scope="row">{formatSpokenDate(day)}</th>
            <td>{formatPounds(price)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The suggested limit as a share of the price, before it is rounded down to ten pounds. */
const SUGGESTED_SHARE = 0.95;

function LimitForm({ price, onLimit }: { price: number; onLimit(below: number): void }) {
  const id = useId();
  const [text, setText] = useState(String(Math.max(1, Math.floor((price * SUGGESTED_SHARE) / 10) * 10)));
  const below = Number(text);
  const isValid = Number.isInteger(below) && below >= 1 && below <= Math.ceil(price);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isValid) onLimit(below);
  }
  return (
    <form className="price-limit" onSubmit={submit} noValidate>
      <label htmlFor={id}>Alert me when the total falls below (£)</label>
      <div className="price-limit-row">
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value.trim())}
          aria-invalid={!isValid}
          aria-describedby={`${id}-problem`}
        />
        <button type="submit" className="button-action" aria-disabled={!isValid}>
          {isValid ? `Alert me below ${formatPounds(below)}` : 'Alert me'}
        </button>
      </div>
      <p id={`${id}-problem`} className="price-limit-problem" role="alert">
        {!isValid && `Enter whole pounds up to today’s ${formatPounds(Math.ceil(price))}.`}
      </p>
    </form>
  );
}
