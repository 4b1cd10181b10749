import lark from '../brand/lark.svg';
import { MonthPricesButton } from './MonthPricesButton.tsx';

interface EmptyHelpProps {
  filtered: boolean;
  /** Whether the search was not for two adults. */
  forOthers: boolean;
}

/** Suggestions for a search without results. */
export function EmptyHelp({ filtered, forOthers }: EmptyHelpProps) {
  return (
    <div className="empty-help">
      <img src={lark} alt="" width={240} height={212} />
      <div>
        <h3>What often helps</h3>
        <ul>
          {filtered && <li>Use fewer filters: ‘Clear all’ above removes them all.</li>}
          {forOthers && <li>Try 7 nights: most packages for your group are a week.</li>}
          <li>Try a day or two either side: not every route flies daily.</li>
          <li>Search from every airport in your region: choose ‘Select all’ next to its name.</li>
          <li>Try a whole region or country instead of one resort.</li>
        </ul>
        <MonthPricesButton />
      </div>
    </div>
  );
}
