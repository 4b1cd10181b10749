import type { AlertSignup } from '../../domain/alert-signup.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';

/** A conversation service, and the channel that it sends from. */
export interface AlertChannel {
  /** The service's base address, without `/intents`. '' is the page's origin. */
  endpoint: string;
  channelId: string;
}

export type AlertSignupResult = 'accepted' | 'refused number' | 'failed';

/** The status for a number that cannot receive messages (ruling 11). */
const REFUSED_NUMBER = 422;

/** A sign-up that is sent again after a timeout is still one watch. */
const TIMEOUT_MS = 20_000;

/**
 * Sends a sign-up (Section 7). `phone` is canonical: 44 and the number. Only the status of the answer is used. An
 * unreachable service and a timeout count as failures.
 */
export async function sendAlertSignup(
  channel: AlertChannel,
  phone: string,
  intent: { packageHoliday: PackageHoliday; belowPrice?: number },
  send: typeof fetch = fetch,
): Promise<AlertSignupResult> {
  const signup: AlertSignup = {
    user: { platform: 'whatsapp', channel: channel.channelId, channel_id: phone },
    intentName: 'alertSignup',
    intent,
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
