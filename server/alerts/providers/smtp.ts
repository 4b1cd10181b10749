import { renderEmail } from '../rendering/email-message.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import { type ErrorAction, httpAction } from './error-action.ts';
import type { MessageProvider, OutgoingMessage } from './message-provider.ts';
import { providerCaller } from './provider-caller.ts';
import { MAX_CONNECTIONS, type Mail } from './smtp-call.ts';

export interface SmtpSettings {
  url: string;
  /** The `From` header of every email, such as `Skylark <alerts@skylark.example>`. */
  from: string;
  timeoutMs: number;
}

export function smtpProvider(
  { url, from, timeoutMs }: SmtpSettings,
  writing: { brandName: string; links: LinkMaker },
): MessageProvider {
  const caller = providerCaller(timeoutMs);
  return {
    name: 'smtp',
    channel: 'email',
    // Further emails would wait for a connection and time out.
    maxCalls: MAX_CONNECTIONS,
    send(message, signal) {
      return caller.sendMail(url, mailOf(message, { ...writing, from }), signal);
    },
    errorAction: smtpAction,
    lookUp: null,
    preview(message) {
      const { subject, text, headers } = mailOf(message, { ...writing, from });
      const lines = Object.entries({ From: from, To: message.to, Subject: subject, ...headers });
      return `${lines.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${text}`;
    },
    close: () => caller.close(),
  };
}

/** What to do about a rejection, by its step, status and enhanced status (RFC 5321, RFC 3463). */
function smtpAction(code: string): ErrorAction {
  const [kind, step, status = '', enhanced = ''] = code.split(' ');
  if (kind !== 'smtp') return httpAction(code);
  if (status === '421') return 'slow down';
  if (status.startsWith('4')) return 'soon';
  // The account or sender is wrong, so every message would fail.
  if (step === 'auth' || step === 'mail' || status === '530' || status === '535') return 'open circuit';
  if (step === 'rcpt') return /^5\.1\.(1|2|3|10)$/.test(enhanced) ? 'gone' : 'final';
  return 'final, raise';
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
      // RFC 8058: mail programs show their own unsubscribe button, which posts to this URL.
      'List-Unsubscribe': `<${made.stopAll}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

function domainOf(from: string): string {
  return /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
}
