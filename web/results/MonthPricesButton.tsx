import { useState } from 'react';
import { useSearchContext } from '../search/search-context.tsx';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { toolsCode } from './tools-code.ts';

const MonthPrices = toolsCode.part((code) => code.MonthPrices);

/** Opens the prices by month, if the server offers them and the search has a destination and an airport. */
export function MonthPricesButton() {
  const { state, config } = useSearchContext();
  const [isOpen, setOpen] = useState(false);
  if (!config.priceCalendar || !state.destination || !state.departureAirport) return null;

  return (
    <>
      <DialogOpener code={toolsCode} className="link-button" onOpen={() => setOpen(true)}>
        Prices by month
      </DialogOpener>
      {isOpen && <MonthPrices onClose={() => setOpen(false)} />}
    </>
  );
}
