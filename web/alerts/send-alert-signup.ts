import type { AlertSignup, ChannelSignup } from '../../domain/alert-signup.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';

/** A conversation service, and the channel that it sends from. */
export interface AlertChannel {
  /** The service's base address, without `/intents`. '' is the page's origin. */
  endpoint: string;
  channelId: string;
}

/** `refused`: nothing can be sent to that number, address or browser. */
export type AlertSignupResult = 'accepted' | 'refused' | 'failed';

/** The status for a number, an address or a subscription that cannot receive messages (ruling 11). */
const REFUSED = 422;

/** A sign-up that is sent again after a timeout is still one watch. */
const TIMEOUT_MS = 20_000;

/** Sends a sign-up (Section 7). `phone` is canonical: 44 and the number. */
export function sendAlertSignup(
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
  return postSignup(channel.endpoint, signup, send);
}

/** Posts a sign-up. Only the status of the answer is used. An unreachable service and a timeout count as failures. */
export async function postSignup(
  endpoint: string,
  signup: AlertSignup | ChannelSignup,
  send: typeof fetch,
): Promise<AlertSignupResult> {
  try {
    const { ok, status } = await send(`${endpoint.replace(/\/+$/, '')}/intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signup),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (ok) return 'accepted';
    return status === REFUSED ? 'refused' : 'failed';
  } catch (error) {
    console.error('The alert sign-up could not be sent.', error);
    return 'failed';
  }
}
