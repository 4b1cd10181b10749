import { readNote, writeNote } from '../storage/notes.ts';
import type { InboundEvent, MessageProvider } from './providers/message-provider.ts';
import type { AlertSession } from './tables/alert-store.ts';

/** The time of the newest listed message, by the provider's clock. */
const SEEN_NOTE = 'alerts.inbound_seen';

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Messages may be listed late. Event IDs keep repeated ones from counting twice. */
const OVERLAP_MS = 10 * 60 * 1000;

/** Event IDs are kept for 14 days, so an older message could count twice. */
const MAX_AGE_MS = 13 * A_DAY_MS;

/** Processes what people have sent since the last message seen: a provider may not repeat a webhook. */
export async function processMissedMessages(
  store: AlertSession,
  provider: MessageProvider,
  process: (events: readonly InboundEvent[]) => Promise<void>,
  now: number,
  stopping: AbortSignal,
): Promise<void> {
  const seen = Number((await readNote(store, SEEN_NOTE)) ?? now - A_DAY_MS);
  const since = Math.max(seen - OVERLAP_MS, now - MAX_AGE_MS);
  const events = (await provider.listInbound?.(since, stopping)) ?? [];
  if (events.length === 0) return;
  await process(events);
  await writeNote(store, SEEN_NOTE, String(Math.max(seen, ...events.map(({ at }) => at ?? 0))));
}
