import { useId } from 'react';
import { type DateWindow, monthOf } from '../../../domain/calendar-date.ts';
import { monthWords } from '../../../domain/day-words.ts';
import { type Month, moveMonth } from '../../search/price-month.ts';
import { Icon } from '../../ui/Icon.tsx';

interface MonthPagerProps {
  month: Month;
  window: DateWindow;
  onChange: (month: Month) => void;
}

/** Pages through the searchable months. */
export function MonthPager({ month, window, onChange }: MonthPagerProps) {
  const id = useId();
  const months = monthsOf(window);
  const at = months.indexOf(month);
  return (
    <div className="month-pager">
      <PageButton label="Previous month" icon="left" month={months[at - 1]} onChange={onChange} />
      <label htmlFor={id} className="visually-hidden">
        Month
      </label>
      <select id={id} value={month} onChange={(event) => onChange(event.target.value)}>
        {months.map((each) => (
          <option key={each} value={each}>
            {monthWords(each)}
          </option>
        ))}
      </select>
      <PageButton label="Next month" icon="right" month={months[at + 1]} onChange={onChange} />
    </div>
  );
}

interface PageButtonProps {
  label: string;
  icon: 'left' | 'right';
  /** Undefined past the first or last month. */
  month: Month | undefined;
  onChange: (month: Month) => void;
}

/** Stays focusable at the ends, so that the focus is not lost. */
function PageButton({ label, icon, month, onChange }: PageButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={month === undefined}
      onClick={() => month !== undefined && onChange(month)}
    >
      <Icon name={icon} />
    </button>
  );
}

function monthsOf({ earliest, latest }: DateWindow): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(earliest); month <= monthOf(latest); month = moveMonth(month, 1)) {
    months.push(month);
  }
  return months;
}
