import * as v from 'valibot';
import webPush from 'web-push';
import type { VapidKeys } from '../keys/vapid-key.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import { renderNotification } from '../rendering/notification.ts';
import { errorTable, httpAction } from './error-action.ts';
import { type CallResult, callProvider } from './http-call.ts';
import type { MessageProvider, OutgoingMessage, SendOutcome } from './message-provider.ts';

/** How long a push service keeps a message for an offline browser. */
const TTL_SECONDS = 24 * 60 * 60;

const subscription = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ endpoint: v.string(), keys: v.object({ p256dh: v.string(), auth: v.string() }) }),
);

/** Sends notifications to the push services of browsers (RFC 8030), encrypted (RFC 8291) and signed (RFC 8292). */
export function webPushProvider(
  vapid: VapidKeys & { subject: string },
  timeoutMs: number,
  { brandName, links }: { brandName: string; links: LinkMaker },
): MessageProvider {
  const contentOf = ({ body, watch, ...message }: OutgoingMessage) =>
    JSON.stringify(renderNotification(brandName, body, links({ watch, ...message }), watch));
  return {
    name: 'web push',
    channel: 'push',
    async send(message, signal) {
      const request = requestOf(message, contentOf(message), vapid);
      if (request === null) return { kind: 'rejected', code: 'push key', retryAfterMs: null };
      const { endpoint, body } = request;
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const outcome = outcomeOfPush(await callProvider(endpoint, { headers, body }, signal, timeoutMs));
      return outcome.kind === 'rejected' ? { ...outcome, to: message.to } : outcome;
    },
    errorAction: (code) => CODES(code) ?? (/^push 5\d\d$/.test(code) ? 'soon' : httpAction(code)),
  };
}

/** Codes from push services' responses (RFC 8030). */
const CODES = errorTable({
  // `push key`: nothing can be encrypted for the subscription.
  gone: ['push 404', 'push 410', 'push key'],
  'slow down to this number': ['push 429'],
  // The subscription has another key, or ours is wrong. A visitor can cause this, so it must not pause other
  // messages.
  'later, raise': ['push 401', 'push 403'],
});

/** The encrypted and signed request; null if nothing can be encrypted with the subscription's keys. */
function requestOf(
  { to, watch }: OutgoingMessage,
  content: string,
  vapidDetails: VapidKeys & { subject: string },
) {
  const options = {
    vapidDetails,
    TTL: TTL_SECONDS,
    urgency: 'normal',
    // A browser that was off gets only the latest message about a watch.
    topic: `watch-${watch ?? 'none'}`,
    contentEncoding: 'aes128gcm',
  } as const;
  try {
    return webPush.generateRequestDetails(v.parse(subscription, to), content, options);
  } catch {
    return null;
  }
}

function outcomeOfPush(result: CallResult): SendOutcome {
  if (result.kind !== 'response') return result;
  const { status, retryAfterMs } = result;
  // The push service has accepted the message, but the browser may not have shown it.
  if (status >= 200 && status < 300)
    return { kind: 'accepted', messageId: null, userId: null, isDelivered: false };
  if (status === 502 || status === 504) return { kind: 'unknown', why: `push ${status}` };
  return { kind: 'rejected', code: `push ${status}`, retryAfterMs };
}
