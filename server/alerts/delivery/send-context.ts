import type { QuietHours } from '../../../domain/quiet-hours.ts';
import type { MessageProvider } from '../providers/message-provider.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { AlertStore } from '../tables/alert-store.ts';

export interface SendingLimits {
  perSecond: number;
  /** Milliseconds between two messages to one number. */
  numberEveryMs: number;
  messagesPerDay: number;
  pencePerDay: number;
  pencePerMessage: number;
  /** When a call without a response is aborted. Its outcome stays unknown. */
  timeoutMs: number;
}

export interface SendContext {
  store: AlertStore;
  provider: MessageProvider;
  limits: SendingLimits;
  quietHours: QuietHours;
  /** Our own address, for links; null if it is not set. */
  siteUrl: string | null;
  /** Makes the links to a person's own alerts; null without our own address. */
  links: LinkMaker | null;
  /** Milliseconds since 1970. */
  now: () => number;
}

const LEASE_AFTER_TIMEOUT_MS = 2_000;

/** The lease of an attempt, which outlasts the call's timeout. */
export function leaseMs({ limits }: SendContext): number {
  return limits.timeoutMs + LEASE_AFTER_TIMEOUT_MS;
}
