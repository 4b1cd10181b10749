import type { QuietHours } from '../../../domain/quiet-hours.ts';
import type { MessageProvider } from '../providers/message-provider.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { AlertSession } from '../tables/alert-store.ts';

/** The price of a message by its category, in pence. */
export interface SendingPrices {
  pencePerMessage: number;
  pencePerMarketing: number;
}

export interface SendingLimits extends SendingPrices {
  perSecond: number;
  numberEveryMs: number;
  messagesPerDay: number;
  pencePerDay: number;
  /** After this, a call without a response is aborted, and its outcome is unknown. */
  timeoutMs: number;
}

export interface SendContext<Store extends AlertSession = AlertSession> {
  store: Store;
  provider: MessageProvider;
  limits: SendingLimits;
  quietHours: QuietHours;
  /** This site's URL, for links; null if it is not set. */
  siteUrl: string | null;
  /** Makes the links to the page of a person's alerts; null without a site URL. */
  links: LinkMaker | null;
  /** Milliseconds since 1970. */
  now: () => number;
}

const LEASE_AFTER_TIMEOUT_MS = 2_000;

/** How long an attempt's lease lasts: longer than the call's timeout. */
export function leaseMs({ limits }: SendContext): number {
  return limits.timeoutMs + LEASE_AFTER_TIMEOUT_MS;
}

/** Meta names the category with each status; what it does not bill is 'free'. Any other counts as utility. */
export function priceOf({ pencePerMessage, pencePerMarketing }: SendingPrices, category: string): number {
  if (category === 'free' || category === 'service') return 0;
  return category === 'marketing' ? pencePerMarketing : pencePerMessage;
}
