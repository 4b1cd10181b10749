import { renderEmail } from '../rendering/email-message.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { MessageProvider, OutgoingMessage, SendOutcome } from './message-provider.ts';
import type { ProviderCaller } from './provider-caller.ts';
import type { Mail, MailResult } from './smtp-call.ts';

export interface SmtpSettings {
  url: string;
  /** The `From` of every email, such as `Skylark <alerts@skylark.example>`. */
  from: string;
}

/** Sends emails to an SMTP server. */
export function smtpProvider(
  { url, from }: SmtpSettings,
  { brandName, links, caller }: { brandName: string; links: LinkMaker; caller: ProviderCaller },
): MessageProvider {
  return {
    name: 'smtp',
    channel: 'email',
    async send(message, signal) {
      const mail = mailOf(message, { brandName, from, links });
      return outcomeOfMail(await caller.sendMail(url, mail, signal));
    },
    lookUp: null,
    preview(message) {
      const { subject, text, headers } = mailOf(message, { brandName, from, links });
      const lines = Object.entries({ From: from, To: message.to, Subject: subject, ...headers });
      return `${lines.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${text}`;
    },
    readWebhook: () => ({ kind: 'forbidden' }),
    close: () => caller.close(),
  };
}

function mailOf(
  message: OutgoingMessage,
  { brandName, from, links }: { brandName: string; from: string; links: LinkMaker },
): Mail {
  const made = links(message);
  return {
    ...renderEmail(brandName, message.body, made),
    from,
    to: message.to,
    messageId: `<${message.token}@${domainOf(from)}>`,
    headers: {
      // RFC 8058: mail programs show a button of their own, which posts to this address.
      'List-Unsubscribe': `<${made.stopAll}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

function domainOf(from: string): string {
  return /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
}

function outcomeOfMail(result: MailResult): SendOutcome {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'accepted', messageId: null, userId: null, isDelivered: false };
    case 'refused':
      return { kind: 'rejected', code: result.code, retryAfterMs: null };
    case 'not sent':
      return { kind: 'rejected', code: 'no connection', retryAfterMs: null };
    case 'unknown':
      return result;
  }
}
