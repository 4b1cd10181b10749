import { useEffect, useState } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';

/** The note that packages of a day are not loaded yet; null if they are, and for no date. See `sampleLoadingNote`. */
export function useSampleLoadingNote(date: CalendarDate | null): string | null {
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    if (date === null) return;
    const stop = new AbortController();
    // Loaded only where a sample is tried.
    import('./sample-loading-note.ts')
      .then(({ loadSampleNote }) => loadSampleNote(date, stop.signal))
      .then(setNote, () => {
        // Nothing is known, so nothing is said.
      });
    return () => {
      stop.abort();
      setNote(null);
    };
  }, [date]);
  return note;
}
