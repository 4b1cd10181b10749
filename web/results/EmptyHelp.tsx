import lark from '../brand/lark.svg';
import { MonthPricesButton } from './MonthPricesButton.tsx';
import { toolsCode } from './tools-code.ts';

const EmptyOffers = toolsCode.part((code) => code.EmptyOffers);

/** What there is instead of an empty search. */
export function EmptyHelp() {
  return (
    <div className="empty-help">
      <img src={lark} alt="" width={240} height={212} />
      <div>
        <EmptyOffers />
        <MonthPricesButton />
      </div>
    </div>
  );
}
