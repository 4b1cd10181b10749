import {
  type CSSProperties,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type DayButtonProps, DayPicker, type DropdownProps } from 'react-day-picker';
import { flushSync } from 'react-dom';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { formatSpokenDate } from '../../domain/day-words.ts';
import './calendar.css';
import { clampToWindow, type DateWindow, moveByKey, moveToMonth } from './calendar-moves.ts';
import { useCloseOnBack } from './dialog-history.ts';
import { Icon } from './Icon.tsx';
import { keepFocusWithin } from './keep-focus-within.ts';
import { fromLocalDate, toLocalNoon } from './local-date.ts';

/** A short text under a day's number. `before` and `after` are read out only. */
export interface DayNote {
  before: string;
  text: string;
  after: string;
  isMarked: boolean;
}

export interface CalendarNotes {
  days: ReadonlyMap<CalendarDate, DayNote>;
  /** The width of the widest text in ems, by which letters shrink to fit. */
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
  /** Null reserves no space for notes; an empty map does, for notes that arrive later. */
  notes?: CalendarNotes | null;
  /** Rendered under the days of the shown month, `YYYY-MM`. */
  footer?: (month: string) => ReactNode;
}

/** The one day of the grid that Tab reaches. */
const ActiveDay = createContext<CalendarDate>('');

const Notes = createContext<CalendarNotes | null>(null);

const LABELS = {
  labelDayButton: (date: Date) => formatSpokenDate(fromLocalDate(date)),
  labelPrevious: () => 'Previous month',
  labelNext: () => 'Next month',
  labelMonthDropdown: () => 'Month',
  labelYearDropdown: () => 'Year',
};

const COMPONENTS = {
  DayButton: CalendarDay,
  Dropdown: CalendarDropdown,
  Chevron: ({ orientation }: { orientation?: 'up' | 'down' | 'left' | 'right' }) => (
    <Icon name={orientation === 'right' ? 'right' : 'left'} />
  ),
};

/**
 * A dialog with a grid of days, opened on the selected day. It handles the keys itself: the day picker's own do not move
 * when a month back would pass the earliest day.
 */
export function Calendar(props: CalendarProps) {
  const { label, selected, today, window, onPick, onClose, notes = null, footer } = props;
  const dialog = useRef<HTMLDivElement>(null);
  const [opensOn] = useState(() => clampToWindow(selected, window));
  const [activeDay, setActive] = useState(opensOn);
  // The window moves at midnight.
  const active = clampToWindow(activeDay, window);
  const earliest = toLocalNoon(window.earliest);
  const latest = toLocalNoon(window.latest);

  useCloseOnBack(onClose);
  useLayoutEffect(() => {
    dialog.current?.scrollIntoView({ block: 'nearest' });
    focusDay(dialog.current, opensOn);
  }, [opensOn]);

  function handleKey(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
      return;
    }
    if (event.key === 'Tab') keepFocusWithin(event);
    const from = focusedDay(event.target);
    const target = from === null ? null : moveByKey(from, event.key, event.shiftKey, window);
    if (target === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    flushSync(() => setActive(target));
    focusDay(dialog.current, target);
  }

  return (
    <div
      ref={dialog}
      className="calendar"
      data-notes={notes !== null || undefined}
      style={notes ? ({ '--note-ems': notes.ems } as CSSProperties) : undefined}
      role="dialog"
      aria-modal="true"
      aria-label={label}
      onKeyDownCapture={handleKey}
    >
      <ActiveDay value={active}>
        <Notes value={notes}>
          <DayPicker
            mode="single"
            required
            lang="en-GB"
            weekStartsOn={1}
            captionLayout="dropdown"
            navLayout="around"
            selected={toLocalNoon(selected)}
            today={toLocalNoon(today)}
            startMonth={earliest}
            endMonth={latest}
            disabled={{ before: earliest, after: latest }}
            month={toLocalNoon(active)}
            onMonthChange={(month) => setActive(moveToMonth(active, fromLocalDate(month), window))}
            onSelect={(date) => onPick(fromLocalDate(date))}
            labels={LABELS}
            components={COMPONENTS}
          />
        </Notes>
      </ActiveDay>
      {footer?.(active.slice(0, 7))}
    </div>
  );
}

/** The day whose button has the focus; null if the focus is elsewhere. */
function focusedDay(target: EventTarget): CalendarDate | null {
  const cell = target instanceof Element ? target.closest('[data-day]') : null;
  return cell?.getAttribute('data-day') ?? null;
}

function focusDay(dialog: HTMLElement | null, date: CalendarDate): void {
  dialog?.querySelector<HTMLButtonElement>(`[data-day="${date}"] button`)?.focus();
}

/** A day of the calendar. It sets its own tab stop, because the day picker's lags behind the focus. */
function CalendarDay({ day, modifiers: _modifiers, ...button }: DayButtonProps) {
  const active = useContext(ActiveDay);
  const notes = useContext(Notes);
  const tabIndex = day.isoDate === active ? 0 : -1;
  if (notes === null) return <button {...button} type="button" tabIndex={tabIndex} />;
  const note = button.disabled ? undefined : notes.days.get(day.isoDate);
  if (note === undefined) {
    return (
      <button {...button} type="button" tabIndex={tabIndex}>
        <span>{button.children}</span>
      </button>
    );
  }
  const [weekday = '', number = '', ...monthAndYear] = formatSpokenDate(day.isoDate).split(' ');
  // Its text is its accessible name.
  return (
    <button {...button} type="button" tabIndex={tabIndex} aria-label={undefined}>
      <span className="visually-hidden">{`${weekday} `}</span>
      <span>{number}</span>
      <span className="visually-hidden">{` ${monthAndYear.join(' ')}, ${note.before} `}</span>
      <small data-marked={note.isMarked || undefined}>{note.text}</small>
      <span className="visually-hidden">{` ${note.after}`}</span>
    </button>
  );
}

/** The calendar's choice of month or year: a native select, as on the rest of the page. */
function CalendarDropdown({ options, ...select }: DropdownProps) {
  return (
    <select {...select} className="calendar-dropdown">
      {options?.map(({ value, label, disabled }) => (
        <option key={value} value={value} disabled={disabled}>
          {label}
        </option>
      ))}
    </select>
  );
}
