import * as v from 'valibot';
import type { AlertSignup, ChannelSignup, SearchSignup } from '../../domain/alert-signup.ts';

/** A conversation service, and the channel that it sends from. */
export interface AlertChannel {
  /** The service's base URL, without `/intents`. '' is the page's origin. */
  endpoint: string;
  channelId: string;
}

export type AlertSignupResult =
  /** `waitsUntil`: when a delayed message will be sent, such as '7am'. */
  | { kind: 'accepted'; waitsUntil: string | null }
  /** The number, email address or browser cannot receive messages. */
  | { kind: 'refused' }
  | { kind: 'failed' };

/** The status for a recipient that cannot receive messages. */
const REFUSED = 422;

/** Retrying after a timeout is safe: the service keeps one watch. */
const TIMEOUT_MS = 20_000;

/** What a sign-up is for: a package (Section 7), or a search (docs/contracts/intents.md). */
export type AlertIntent =
  | Pick<AlertSignup, 'intentName' | 'intent'>
  | Pick<SearchSignup, 'intentName' | 'intent'>;

/** Sends a sign-up (Section 7). `phone` is canonical: 44 and the number. */
export function sendAlertSignup(
  channel: AlertChannel,
  phone: string,
  intent: AlertIntent,
): Promise<AlertSignupResult> {
  const user = { platform: 'whatsapp', channel: channel.channelId, channel_id: phone } as const;
  return postSignup(channel.endpoint, { user, ...intent });
}

/** Posts a sign-up. An unreachable service and a timeout count as failures. */
export async function postSignup(
  endpoint: string,
  signup: AlertIntent & { user: AlertSignup['user'] | ChannelSignup['user'] },
): Promise<AlertSignupResult> {
  try {
    const response = await fetch(`${endpoint.replace(/\/+$/, '')}/intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signup),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { kind: 'accepted', waitsUntil: await readWaitsUntil(response) };
    return { kind: response.status === REFUSED ? 'refused' : 'failed' };
  } catch (error) {
    console.error('The alert sign-up could not be sent.', error);
    return { kind: 'failed' };
  }
}

const Body = v.fallback(v.object({ waitsUntil: v.nullish(v.string(), null) }), { waitsUntil: null });

/** Reads our own service's addition (docs/contracts/intents.md); null for any other body. */
async function readWaitsUntil(response: Response): Promise<string | null> {
  return v.parse(Body, await response.json().catch(() => null)).waitsUntil;
}
