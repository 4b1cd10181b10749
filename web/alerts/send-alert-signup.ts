import type { AlertSignup } from '../../domain/alert-signup.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';

/** Where a sign-up goes: a conversation service, and the channel that it writes from. */
export interface AlertChannel {
  /** The service's base address; `/intents` is posted to. '' is the page's own origin. */
  endpoint: string;
  channelId: string;
}

export type AlertSignupResult = 'accepted' | 'refused number' | 'failed';

/** A service that knows that a number cannot receive says so by this status (ruling 11). */
const REFUSED_NUMBER = 422;

/** A service that has not answered by then is not going to; a sign-up that is sent twice is one watch. */
const TIMEOUT_MS = 20_000;

/**
 * Sends a sign-up as Section 7 has it. `phone` is canonical: 44 and the number. Only the status of the answer
 * is used; a service that cannot be reached, or does not answer in time, has failed.
 */
export async function sendAlertSignup(
  channel: AlertChannel,
  phone: string,
  packageHoliday: PackageHoliday,
  send: typeof fetch = fetch,
): Promise<AlertSignupResult> {
  const signup: AlertSignup = {
    user: { platform: 'whatsapp', channel: channel.channelId, channel_id: phone },
    intentName: 'alertSignup',
    intent: { packageHoliday },
  };
  try {
    const { ok, status } = await send(`${channel.endpoint.replace(/\/+$/, '')}/intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signup),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (ok) return 'accepted';
    return status === REFUSED_NUMBER ? 'refused number' : 'failed';
  } catch (error) {
    console.error('The alert sign-up could not be sent.', error);
    return 'failed';
  }
}
