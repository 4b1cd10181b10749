import type { QuietHours } from '../../../domain/quiet-hours.ts';
import type { MessageProvider } from '../providers/message-provider.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { AlertStore } from '../tables/alert-store.ts';

export interface SendingLimits {
  perSecond: number;
  /** Milliseconds between two messages to one number. */
  numberEveryMs: number;
  messagesPerDay: number;
  /** The most that a day may cost, and what a message costs. */
  pencePerDay: number;
  pencePerMessage: number;
  /** When a call without a response is aborted. Its outcome stays unknown. */
  timeoutMs: number;
}

/** What delivery needs: store, provider, limits and clock. */
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

/** Time between a call's timeout and the end of its lease, in milliseconds. */
const LEASE_AFTER_TIMEOUT_MS = 2_000;

/** How long an attempt may stay without an outcome before its lease expires, in milliseconds. */
export function leaseMs({ limits }: SendContext): number {
  return limits.timeoutMs + LEASE_AFTER_TIMEOUT_MS;
}
