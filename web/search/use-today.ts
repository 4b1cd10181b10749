import { useEffect, useState } from 'react';
import { type CalendarDate, todayInLondon } from '../../domain/calendar-date.ts';

const LOOKS_EVERY_MS = 10_000;

/**
 * Today in London. A tab may stay open for days, so it is looked at again every few seconds, and at once when
 * the page comes back into view: timers stand still while a device sleeps.
 */
export function useToday(): CalendarDate {
  const [today, setToday] = useState(() => todayInLondon(Date.now()));
  useEffect(() => {
    const look = () => setToday(todayInLondon(Date.now()));
    const timer = setInterval(look, LOOKS_EVERY_MS);
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, []);
  return today;
}
