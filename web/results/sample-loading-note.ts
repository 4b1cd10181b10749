import * as v from 'valibot';
import { type CalendarDate } from '../../domain/calendar-date.ts';
import { formatLongDate } from '../../domain/day-words.ts';

const HealthSchema = v.object({
  inventory: v.object({ loading: v.boolean(), throughDay: v.nullable(v.pipe(v.string(), v.isoDate())) }),
});

/**
 * The note beside a search that found nothing on a day whose sample packages are not loaded yet, or of which the server does
 * not know it yet; null if they are. `health` is the response of `/healthz`.
 */
export function sampleLoadingNote(health: unknown, date: CalendarDate): string | null {
  const { success, output } = v.safeParse(HealthSchema, health);
  if (!success || !output.inventory.loading) return null;
  const { throughDay } = output.inventory;
  if (throughDay !== null && date <= throughDay) return null;
  const missing =
    throughDay === null ? '' : `, and departures after ${formatLongDate(throughDay)} are missing so far`;
  return `The sample is still loading${missing}. Search again in a minute or two.`;
}

/** Asks the server for that note. Rejects if it does not answer as ours does. */
export async function loadSampleNote(date: CalendarDate, signal: AbortSignal): Promise<string | null> {
  const response = await fetch('/healthz', { signal });
  return sampleLoadingNote(await response.json(), date);
}
