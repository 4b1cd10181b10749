import { createContext, useContext } from 'react';
import type { DayButtonProps } from 'react-day-picker';
import type { CalendarDate } from '../../domain/calendar-date.ts';

/** The one day of the grid that Tab reaches. */
export const ActiveDay = createContext<CalendarDate>('');

/** A day of the calendar. The day picker's own Tab stop lags behind the focus, so it is set here. */
export function CalendarDay({ day, modifiers: _modifiers, ...button }: DayButtonProps) {
  const active = useContext(ActiveDay);
  return <button {...button} type="button" tabIndex={day.isoDate === active ? 0 : -1} />;
}
