import * as v from 'valibot';
import type { LinkMaker } from '../rendering/message-links.ts';
import { renderNotification } from '../rendering/notification.ts';
import { errorTable, httpAction } from './error-action.ts';
import { callProvider, outcomeOf } from './http-call.ts';
import type { MessageProvider } from './message-provider.ts';

export interface NtfySettings {
  url: string;
  /** An access token, if the server needs one. */
  token: string | null;
}

// Access to one topic, which a visitor chose, must not pause the messages to others.
const CODES = errorTable({ 'later, raise': ['http 403'] });

const published = v.object({ id: v.string() });

/** Publishes messages to topics of an ntfy server (https://docs.ntfy.sh/publish/#publish-as-json). */
export function ntfyProvider(
  { url, token }: NtfySettings,
  timeoutMs: number,
  { brandName, links }: { brandName: string; links: LinkMaker },
): MessageProvider {
  const headers = {
    'content-type': 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return {
    name: 'ntfy',
    channel: 'ntfy',
    async send({ to, body, ...message }, signal) {
      const shown = renderNotification(brandName, body, links(message), message.watch);
      const content = JSON.stringify({
        topic: to,
        title: shown.title,
        message: shown.body,
        click: shown.url,
        actions: [shown.stop, shown.manage].map((link) => ({ action: 'view', ...link })),
      });
      return outcomeOf(await callProvider(url, { headers, body: content }, signal, timeoutMs), {
        accepted: (response) => (v.is(published, response) ? { messageId: response.id, userId: null } : null),
        code: () => null,
      });
    },
    errorAction: (code) => CODES(code) ?? httpAction(code),
  };
}
