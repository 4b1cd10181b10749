import lark from '../brand/lark.svg';
import { MonthPricesButton } from './MonthPricesButton.tsx';

interface EmptyHelpProps {
  filtered: boolean;
  /** Whether the search was not for two adults. */
  forOthers: boolean;
}

/** Suggestions beside the message that nothing was found. */
export function EmptyHelp({ filtered, forOthers }: EmptyHelpProps) {
  return (
    <div className="empty-help">
      <img src={lark} alt="" width={240} height={212} />
      <div>
        <h3>What often helps</h3>
        <ul>
          {filtered && <li>Fewer filters: ‘Clear filters’ above removes them all.</li>}
          {forOthers && <li>Try 7 nights: most packages for your group are a week.</li>}
          <li>Try a day or two either side: not every route flies daily.</li>
          <li>Every airport of your region: ‘Select all’ beside its name.</li>
          <li>A whole region or country in place of one resort.</li>
        </ul>
        <MonthPricesButton />
      </div>
    </div>
  );
}
