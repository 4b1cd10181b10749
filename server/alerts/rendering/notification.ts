import type { MessageText } from '../tables/messages.ts';
import type { MessageLinks } from './message-links.ts';

/** What the service worker shows (web/public/service-worker.js), and a topic of ntfy. */
export interface AlertNotification {
  title: string;
  body: string;
  url: string;
  /** A newer notification of the same tag replaces an older one. */
  tag: string;
  stop: { label: string; url: string };
  manage: { label: string; url: string };
}

/** The most characters of text: an encrypted message may have at most 4,096 bytes. */
const MAX_TEXT = 700;

export function renderNotification(
  brandName: string,
  body: MessageText,
  links: MessageLinks,
  watch: number | null,
): AlertNotification {
  const stop = {
    label: links.stopThis === links.stopAll ? 'Stop' : 'Stop this one',
    url: links.stopThis,
  };
  const manage = { label: 'Your alerts', url: links.manage };
  const tag = `watch-${watch ?? 'none'}`;
  const { template, parameters, others, root } = body;
  if (template === 'drop') {
    const [holiday = '', price = '', was = '', link = ''] = parameters;
    const also = others.length === 0 ? [] : [`Other price drops: ${others.join('; ')}.`];
    return {
      title: `Price drop to ${price}, from ${was}`,
      body: `${cut([holiday, ...also].join('\n'))}${root === undefined ? '' : `\nPrice record ${root}`}`,
      url: /^https?:/.test(link) ? link : links.manage,
      tag,
      stop,
      manage,
    };
  }
  const [, holiday = body.text, price = ''] = parameters;
  if (template === 'confirm')
    return {
      title: 'Confirm your price alert',
      body: cut(
        `This is ${brandName}. Someone asked us to send price alerts for this holiday here: ${holiday}. It costs ${price} now. Open this to confirm. If you didn't ask for it, do nothing, and you won't hear from us again.`,
      ),
      url: links.confirm,
      tag,
      stop: { label: 'Never message me', url: links.stopAll },
      manage,
    };
  return {
    title: `${brandName}: we're watching`,
    body: cut(`${holiday}. It costs ${price} now. We'll tell you when its price, or a similar one, drops.`),
    url: links.manage,
    tag,
    stop,
    manage,
  };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}
