import { useEffect, useState } from 'react';
import { type CalendarDate, todayInLondon } from '../../domain/calendar-date.ts';

/** Today in London, looked at again whenever the page comes back into view: a tab may stay open for days. */
export function useToday(): CalendarDate {
  const [today, setToday] = useState(() => todayInLondon(Date.now()));
  useEffect(() => {
    const look = () => setToday(todayInLondon(Date.now()));
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, []);
  return today;
}
