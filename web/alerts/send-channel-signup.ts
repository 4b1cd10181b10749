import type { ChannelSignup } from '../../domain/alert-signup.ts';
import { type AlertSignupResult, postSignup } from './send-alert-signup.ts';

/** Where a sign-up by email or in the browser goes, and for which package. */
export interface ChannelSignupTarget {
  endpoint: string;
  itemKey: string;
  /** Whole pounds for the party: alerts are wanted for prices below it only. */
  below?: number | undefined;
}

type User = ChannelSignup['user'];

const OWNER = 'skylark.alerts.owner';

/** Sends a sign-up by email or in the browser (docs/contracts/intents.md). */
export function sendChannelSignup(
  { endpoint, itemKey, below }: ChannelSignupTarget,
  user: User,
  send: typeof fetch = fetch,
): Promise<AlertSignupResult> {
  const signup: ChannelSignup = {
    user: { ...user, owner: ownerOfBrowser() },
    intentName: 'alertSignup',
    intent: { packageHoliday: { ItemKey: itemKey }, ...(below === undefined ? {} : { belowPrice: below }) },
  };
  return postSignup(endpoint, signup, send);
}

/** A random name that lets one stop end every alert of this browser; none where nothing can be stored. */
function ownerOfBrowser(): string | undefined {
  try {
    const kept = localStorage.getItem(OWNER);
    if (kept !== null) return kept;
    const bytes = crypto.getRandomValues(new Uint8Array(20));
    const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    localStorage.setItem(OWNER, made);
    return made;
  } catch {
    return undefined;
  }
}
