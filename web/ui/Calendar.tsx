import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  addMonths,
  type CalendarDate,
  clampToWindow,
  type DateWindow,
  monthOf,
  partsOf,
} from '../../domain/calendar-date.ts';
import { formatSpokenDate, MONTH_NAMES, monthWords, weekdayName } from '../../domain/day-words.ts';
import './calendar.css';
import { moveByKey, weeksOf } from './calendar-moves.ts';
import { useCloseOnBack } from './dialog-history.ts';
import { Icon } from './Icon.tsx';
import { keepFocusWithin } from './keep-focus-within.ts';

/** A short text under a day's number. `before` and `after` are read out only. */
export interface DayNote {
  before: string;
  text: string;
  after: string;
  isMarked: boolean;
}

export interface CalendarNotes {
  days: ReadonlyMap<CalendarDate, DayNote>;
  /** The width of the widest text in ems, so that letters can shrink to fit. */
  ems: number;
}

export interface CalendarProps {
  /** The dialog's accessible name. */
  label: string;
  selected: CalendarDate;
  today: CalendarDate;
  window: DateWindow;
  onPick: (date: CalendarDate) => void;
  onClose: () => void;
  /** Null reserves no space for notes. Notes without days reserve the space for texts that arrive later. */
  notes?: CalendarNotes | null;
  /** Rendered under the days of the shown month, `YYYY-MM`. */
  footer?: (month: string) => ReactNode;
}

/** A dialog with the days of a month, opened on the selected day. */
export function Calendar(props: CalendarProps) {
  const { label, selected, window, onClose, notes = null, footer } = props;
  const dialog = useRef<HTMLDivElement>(null);
  const [activeDay, setActive] = useState(selected);
  // The window moves at midnight.
  const active = clampToWindow(activeDay, window);

  useCloseOnBack(onClose);
  useLayoutEffect(() => {
    dialog.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  // The focus follows the active day, except from the choice of month.
  useLayoutEffect(() => {
    if (document.activeElement?.closest('.calendar-head')) return;
    dialog.current?.querySelector<HTMLElement>(`[data-day="${active}"] button`)?.focus();
  }, [active]);

  function handleKey(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key === 'Tab') keepFocusWithin(event);
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  }

  function handleGridKey(event: KeyboardEvent<HTMLTableElement>) {
    const target = moveByKey(active, event.key, event.shiftKey, window);
    if (target === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setActive(target);
  }

  const weeks = weeksOf(active);
  return (
    <div
      ref={dialog}
      className="calendar"
      data-notes={notes !== null || undefined}
      style={notes ? ({ '--note-ems': notes.ems } as CSSProperties) : undefined}
      role="dialog"
      aria-modal="true"
      aria-label={label}
      onKeyDown={handleKey}
    >
      <MonthChoice
        active={active}
        window={window}
        onMove={(months) => setActive(clampToWindow(addMonths(active, months), window))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA's date grid is a table. */}
      <table role="grid" aria-label={monthWords(active)} onKeyDown={handleGridKey}>
        <thead aria-hidden="true">
          <tr>
            {weeks[0]?.map((date) => (
              <th key={weekdayName(date)} scope="col">
                {weekdayName(date).slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <DayCell key={date} {...props} date={date} active={active} onActivate={setActive} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {footer?.(monthOf(active))}
    </div>
  );
}

interface DayCellProps extends CalendarProps {
  date: CalendarDate;
  /** The one day that Tab reaches. */
  active: CalendarDate;
  onActivate: (date: CalendarDate) => void;
}

/** A day, or an empty cell for a day of another month. */
function DayCell({ date, active, onActivate, selected, today, window, notes, onPick }: DayCellProps) {
  if (monthOf(date) !== monthOf(active)) return <td />;
  const isDisabled = date !== clampToWindow(date, window);
  const note = isDisabled ? undefined : notes?.days.get(date);
  return (
    // biome-ignore lint/a11y: in ARIA's date grid, the focus is on the button.
    <td role="gridcell" data-day={date} aria-selected={date === selected || undefined}>
      <button
        type="button"
        tabIndex={date === active ? 0 : -1}
        disabled={isDisabled}
        aria-current={date === today ? 'date' : undefined}
        aria-label={note ? undefined : formatSpokenDate(date)}
        onFocus={() => onActivate(date)}
        onClick={() => onPick(date)}
      >
        {note ? <NotedDay date={date} note={note} /> : <span>{partsOf(date).day}</span>}
      </button>
    </td>
  );
}

/** The text of a day with a note, which is its button's accessible name. */
function NotedDay({ date, note }: { date: CalendarDate; note: DayNote }) {
  const [weekday, number, ...monthAndYear] = formatSpokenDate(date).split(' ');
  return (
    <>
      <span className="visually-hidden">{`${weekday} `}</span>
      <span>{number}</span>
      <span className="visually-hidden">{` ${monthAndYear.join(' ')}, ${note.before} `}</span>
      <small data-marked={note.isMarked || undefined}>{note.text}</small>
      <span className="visually-hidden">{` ${note.after}`}</span>
    </>
  );
}

interface MonthChoiceProps {
  active: CalendarDate;
  window: DateWindow;
  onMove: (months: number) => void;
}

/** The arrows and the selects above the days. */
function MonthChoice({ active, window, onMove }: MonthChoiceProps) {
  const { year, month } = partsOf(active);
  const first = partsOf(window.earliest).year;
  const years = Array.from({ length: partsOf(window.latest).year - first + 1 }, (_, nth) => first + nth);
  const canMove = (months: number) => {
    const target = monthOf(addMonths(active, months));
    return monthOf(window.earliest) <= target && target <= monthOf(window.latest);
  };
  return (
    <div className="calendar-head">
      <MonthButton label="Previous month" icon="left" isDisabled={!canMove(-1)} onClick={() => onMove(-1)} />
      <div className="calendar-selects">
        <select
          aria-label="Month"
          value={month}
          onChange={(event) => onMove(Number(event.target.value) - month)}
        >
          {MONTH_NAMES.map((name, index) => (
            <option key={name} value={index + 1} disabled={!canMove(index + 1 - month)}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="Year"
          value={year}
          onChange={(event) => onMove(12 * (Number(event.target.value) - year))}
        >
          {years.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <span className="visually-hidden" role="status">
          {monthWords(active)}
        </span>
      </div>
      <MonthButton label="Next month" icon="right" isDisabled={!canMove(1)} onClick={() => onMove(1)} />
    </div>
  );
}

interface MonthButtonProps {
  label: string;
  icon: 'left' | 'right';
  isDisabled: boolean;
  onClick: () => void;
}

/** Keeps the focus at the first and last month. */
function MonthButton({ label, icon, isDisabled, onClick }: MonthButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={isDisabled}
      tabIndex={isDisabled ? -1 : undefined}
      onClick={isDisabled ? undefined : onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
