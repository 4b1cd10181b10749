import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';
import { type Condition, MINUTE_MS } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreView } from './store-view.ts';

/** In quiet hours, no message is due. */
const MAX_DUE_MS = 15 * MINUTE_MS;

export const MESSAGES_LATE: Condition<StoreView, AlertMetrics> = {
  id: 'messages',
  level: 'warn',
  sentence: 'Messages of price alerts are stuck',
  remedy: "Check that the server is running. {alerts status} shows the provider's responses.",
  graceMs: 5 * MINUTE_MS,
  gauges: [gauge('alert_oldest_due_seconds', 'Age of the oldest due message', (of) => of.oldestDueSeconds)],
  async read({ alertStore: { sql }, now }) {
    const due = await sql.get`select count(*) as count, min(due_at) as oldest from alert_message
      where state = 'queued' and due_at <= ${now}`;
    const waitedMs = typeof due?.oldest === 'number' ? now - due.oldest : 0;
    const detail = `${Number(due?.count)} messages are waiting to be sent, the oldest for ${Math.round(waitedMs / MINUTE_MS)} minutes`;
    return waitedMs > MAX_DUE_MS && { detail };
  },
};
