import { useEffect, useState } from 'react';
import { type CalendarDate, todayInLondon } from '../../domain/calendar-date.ts';

const CHECK_INTERVAL_MS = 10_000;

/** Today in London, checked regularly and when the page becomes visible, since a tab may stay open for days. */
export function useToday(): CalendarDate {
  const [today, setToday] = useState(() => todayInLondon(Date.now()));
  useEffect(() => {
    const update = () => setToday(todayInLondon(Date.now()));
    const timer = setInterval(update, CHECK_INTERVAL_MS);
    document.addEventListener('visibilitychange', update);
    window.addEventListener('focus', update);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
      window.removeEventListener('focus', update);
    };
  }, []);
  return today;
}
