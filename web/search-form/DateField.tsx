import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { type CalendarDate, departureDate, departureWindow } from '../../domain/calendar-date.ts';
import { formatShortDate } from '../../domain/day-words.ts';
import type { DepartureCalendarProps } from '../search/DepartureCalendar.tsx';
import type { PriceRequest } from '../search/price-request.ts';
import { Field } from '../ui/Field.tsx';
import { useIsHydrating } from '../ui/use-is-hydrating.ts';
import { useOutsidePress } from '../ui/use-outside-press.ts';
import { formCode } from './form-code.ts';

export interface DateFieldProps {
  /** The picked day. Null, or a day that has passed, shows tomorrow. */
  value: CalendarDate | null;
  onChange: (date: CalendarDate) => void;
  today: CalendarDate;
  /** The trip that the calendar shows prices for; null: no prices. */
  prices: PriceRequest | null;
  disabled: boolean;
}

const DepartureCalendar = formCode.part((code) => code.DepartureCalendar);

const OPENING_KEYS = ['Enter', ' ', 'ArrowDown'];

/** 'When': a date picked from a calendar, not typed (Section 2). */
export function DateField({ value, onChange, today, prices, disabled }: DateFieldProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [wantsOpen, setOpen] = useState(false);
  const isHydrating = useIsHydrating();
  const window = departureWindow(today);
  const shown = departureDate(value, today);
  const isOpen = wantsOpen && !disabled;

  useOutsidePress(place, isOpen, () => setOpen(false));

  function open() {
    setOpen(true);
  }

  function close() {
    setOpen(false);
    input.current?.focus();
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (OPENING_KEYS.includes(event.key)) {
      event.preventDefault();
      open();
    } else if (event.key === 'Escape') {
      setOpen(false);
    }
  }

  return (
    <div ref={place} className="date-field">
      <Field
        id={id}
        label="When"
        icon="calendar"
        disabled={disabled}
        below={
          isOpen && (
            <CalendarPopup
              id={`${id}-calendar`}
              selected={shown}
              today={today}
              window={window}
              prices={prices}
              onPick={(date) => {
                onChange(date);
                close();
              }}
              onClose={close}
            />
          )
        }
      >
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-calendar` : undefined}
          readOnly
          placeholder="Select date"
          value={isHydrating ? '' : formatShortDate(shown)}
          disabled={disabled}
          autoComplete="off"
          onClick={() => (isOpen ? setOpen(false) : open())}
          onKeyDown={handleKey}
          onFocus={formCode.preload}
          onPointerEnter={formCode.preload}
        />
      </Field>
    </div>
  );
}

function CalendarPopup({ id, ...calendar }: { id: string } & DepartureCalendarProps) {
  const opening = (
    <p className="date-wait" role="status">
      Opening the calendar...
    </p>
  );
  return (
    <div id={id} className="date-popup">
      <DepartureCalendar {...calendar} fallback={opening} />
    </div>
  );
}
