import type { QuietHours } from '../../../domain/quiet-hours.ts';
import type { SendingLimits } from '../alerts-config.ts';
import type { MessageProvider } from '../providers/message-provider.ts';
import type { AlertStore } from '../records/alert-store.ts';

/** What sending works with. */
export interface SendContext {
  store: AlertStore;
  provider: MessageProvider;
  limits: SendingLimits;
  quietHours: QuietHours;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Some time after a call was given up, nobody can be waiting for it any more. Milliseconds. */
const LEASE_AFTER_TIMEOUT_MS = 2_000;

/** How long an attempt may be without an outcome before nobody can hear of it, in milliseconds. */
export function leaseMs({ limits }: SendContext): number {
  return limits.timeoutMs + LEASE_AFTER_TIMEOUT_MS;
}
