import { type ComponentType, useState } from 'react';
import type { CalendarProps } from '../ui/Calendar.tsx';

type CalendarChunk =
  | { status: 'unasked' | 'pending' | 'failed' }
  | { status: 'stored'; Calendar: ComponentType<CalendarProps> };

/**
 * The calendar, whose code is fetched when it is first wanted. `load` may be called as often as one likes;
 * after a failure it asks again.
 */
export function useCalendar(): { chunk: CalendarChunk; load: () => void } {
  const [chunk, setChunk] = useState<CalendarChunk>({ status: 'unasked' });

  function load() {
    if (chunk.status === 'pending' || chunk.status === 'stored') return;
    setChunk({ status: 'pending' });
    import('../ui/Calendar.tsx').then(
      ({ Calendar }) => setChunk({ status: 'stored', Calendar }),
      (error: unknown) => {
        console.error('The calendar could not be loaded.', error);
        setChunk({ status: 'failed' });
      },
    );
  }

  return { chunk, load };
}
