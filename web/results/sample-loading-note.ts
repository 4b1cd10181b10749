import * as v from 'valibot';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { formatPlainDate } from '../../domain/day-words.ts';

const HealthSchema = v.object({
  inventory: v.object({ loading: v.boolean(), throughDay: v.nullable(v.pipe(v.string(), v.isoDate())) }),
});

/**
 * Says that the sample packages of a day are still loading; null if they are loaded. `health` is the response of
 * `/healthz`.
 */
export function sampleLoadingNote(health: unknown, date: CalendarDate): string | null {
  const { success, output } = v.safeParse(HealthSchema, health);
  if (!success || !output.inventory.loading) return null;
  const { throughDay } = output.inventory;
  if (throughDay !== null && date <= throughDay) return null;
  const missing = throughDay === null ? '' : ` (so far up to ${formatPlainDate(throughDay)})`;
  return `Our sample holidays are still loading${missing}. Search again in a minute or two.`;
}

/** Fetches the note. Rejects if the response does not have the expected form. */
export async function loadSampleNote(date: CalendarDate, signal: AbortSignal): Promise<string | null> {
  const response = await fetch('/healthz', { signal });
  return sampleLoadingNote(await response.json(), date);
}
