import { type EmailWriting, renderEmail } from '../rendering/email-message.ts';
import { type ErrorAction, httpAction } from './error-action.ts';
import type { MessageProvider, OutgoingMessage } from './message-provider.ts';
import { MAX_CONNECTIONS, type Mail, type SmtpServer, smtpServer } from './smtp-call.ts';

export interface SmtpSettings {
  url: string;
  /** The `From` header of every email, such as `Skylark <alerts@skylark.example>`. */
  from: string;
  timeoutMs: number;
}

export function smtpProvider({ url, from, timeoutMs }: SmtpSettings, writing: EmailWriting): MessageProvider {
  let server: SmtpServer | null = null;
  return {
    name: 'smtp',
    channel: 'email',
    // Further emails would wait for a connection and time out.
    maxCalls: MAX_CONNECTIONS,
    send(message, signal) {
      server ??= smtpServer(url, timeoutMs);
      return server.send(mailOf(message, { ...writing, from }), signal);
    },
    errorAction: smtpAction,
    close: () => server?.close(),
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

function mailOf(message: OutgoingMessage, writing: EmailWriting & { from: string }): Mail {
  const { from } = writing;
  const made = writing.links(message);
  return {
    ...renderEmail(writing, message.body, made),
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
