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
          {filtered && <li>Fewer filters: ‘Clear filters’ above takes them all away.</li>}
          {forOthers && (
            <li>Another number of nights: other parties have fewer packages, most of them of 7.</li>
          )}
          <li>A day or two earlier or later: not every flight leaves every day.</li>
          <li>Every airport of your region: ‘Select all’ beside its name.</li>
          <li>A whole region or country in place of one resort.</li>
        </ul>
        <MonthPricesButton />
      </div>
    </div>
  );
}
