import type { ChannelSignup } from '../../domain/alert-signup.ts';
import { type AlertIntent, type AlertSignupResult, postSignup } from './send-alert-signup.ts';

/** The service of a sign-up, and what it is for. */
export interface ChannelSignupTarget {
  endpoint: string;
  intent: AlertIntent;
}

const OWNER = 'skylark.alerts.owner';

/** Sends a sign-up for email or web push (docs/contracts/intents.md). */
export function sendChannelSignup(
  { endpoint, intent }: ChannelSignupTarget,
  user: ChannelSignup['user'],
): Promise<AlertSignupResult> {
  return postSignup(endpoint, { user: { ...user, owner: ownerOfBrowser() }, ...intent });
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
