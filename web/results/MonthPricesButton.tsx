import { useState } from 'react';
import { useSearchContext } from '../search/search-context.tsx';
import { lazyCode, useLazyCode } from '../ui/lazy-code.ts';

const monthCode = lazyCode('prices by month', () => import('./month-prices/MonthPrices.tsx'));

/** Opens the prices by month, if the server offers them and the search has a destination and an airport. */
export function MonthPricesButton() {
  const { state, config } = useSearchContext();
  const [isOpen, setOpen] = useState(false);
  const lazy = useLazyCode(monthCode);
  if (!config.priceCalendar || !state.destination || !state.departureAirport) return null;

  return (
    <>
      <button
        type="button"
        className="link-button"
        aria-haspopup="dialog"
        onClick={() => {
          monthCode.preload();
          setOpen(true);
        }}
      >
        Prices by month
      </button>
      {isOpen && lazy.status === 'failed' && <span role="alert">We couldn’t load the prices.</span>}
      {isOpen && lazy.status === 'stored' && <lazy.code.MonthPrices onClose={() => setOpen(false)} />}
    </>
  );
}
