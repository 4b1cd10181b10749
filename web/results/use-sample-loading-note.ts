import { useEffect, useState } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { loadSampleNote } from './sample-loading-note.ts';

/** Says that a date's sample packages are still loading. Null if they are loaded, or without a date. */
export function useSampleLoadingNote(date: CalendarDate | null): string | null {
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    if (date === null) return;
    const stop = new AbortController();
    loadSampleNote(date, stop.signal).then(setNote, () => {
      // No note if the request fails.
    });
    return () => {
      stop.abort();
      setNote(null);
    };
  }, [date]);
  return note;
}
