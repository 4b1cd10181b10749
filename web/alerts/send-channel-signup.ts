import type { ChannelSignup } from '../../domain/alert-signup.ts';
import { type AlertSignupResult, postSignup } from './send-alert-signup.ts';

/** The service and the package of a sign-up. */
export interface ChannelSignupTarget {
  endpoint: string;
  itemKey: string;
  /** In whole pounds for the party. If set, only a price below it causes an alert. */
  below?: number | undefined;
  /** The query of the flexible search that found the package. */
  search?: string | undefined;
}

const OWNER = 'skylark.alerts.owner';

/** Sends a sign-up for email or web push (docs/contracts/intents.md). */
export function sendChannelSignup(
  { endpoint, itemKey, below, search }: ChannelSignupTarget,
  user: ChannelSignup['user'],
): Promise<AlertSignupResult> {
  const signup: ChannelSignup = {
    user: { ...user, owner: ownerOfBrowser() },
    intentName: 'alertSignup',
    intent: { packageHoliday: { ItemKey: itemKey }, belowPrice: below, search },
  };
  return postSignup(endpoint, signup);
}

/** A random id that lets visitors stop all alerts of this browser together; undefined if storage is blocked. */
function ownerOfBrowser(): string | undefined {
  try {
    const stored = localStorage.getItem(OWNER);
    if (stored !== null) return stored;
    const bytes = crypto.getRandomValues(new Uint8Array(20));
    const created = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    localStorage.setItem(OWNER, created);
    return created;
  } catch {
    return undefined;
  }
}
