import { createTransport, type NodemailerError } from 'nodemailer';
import { NOT_SENT, type SendOutcome } from './message-provider.ts';

/** An email. */
export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

/** Few, because providers limit concurrent connections and the messages on each. */
export const MAX_CONNECTIONS = 5;
const MAX_MESSAGES = 100;

const IDLE_TIMEOUT_MS = 10_000;

export interface SmtpServer {
  /** Sends one email. Never throws. */
  send(mail: Mail, signal: AbortSignal): Promise<SendOutcome>;
  close(): void;
}

export function smtpServer(url: string, timeoutMs: number): SmtpServer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAX_MESSAGES,
    idleTimeout: IDLE_TIMEOUT_MS,
    // Less than the deadline, so that an email without a connection is known to be unsent.
    connectionTimeout: timeoutMs / 2,
    greetingTimeout: timeoutMs / 2,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail, signal) {
      if (signal.aborted) return NOT_SENT;
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        await transport.sendMail({ ...mail, signal: limited });
        return { kind: 'accepted', messageId: null, userId: null, isDelivered: false };
      } catch (error) {
        return outcomeOf(error as NodemailerError);
      }
    },
    close: () => transport.close(),
  };
}

/** Connects and logs in. Null if it works; else the server's refusal, or `no connection`. */
export async function tryLogin(url: string, timeoutMs: number): Promise<string | null> {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url, ...timeouts });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    const outcome = outcomeOf(error as NodemailerError);
    return outcome.kind === 'rejected' ? outcome.code : 'no connection';
  } finally {
    transport.close();
  }
}

/** Errors of a malformed email, which cannot be sent. */
const UNWRITTEN: ReadonlySet<unknown> = new Set(['EFILEACCESS', 'EURLACCESS', 'ESTREAM']);

/** Errors before the server's first response, and so before any email is sent. */
const UNCONNECTED: ReadonlySet<unknown> = new Set(['EDNS', 'ETLS', 'EPROXY']);
const CONNECTING: ReadonlySet<unknown> = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']);

/**
 * A rejection's code has the step, status and enhanced status, such as `smtp rcpt 550 5.1.1`; a malformed
 * email's is `smtp message`. If the connection was lost or aborted, the email may have been sent.
 */
function outcomeOf(error: NodemailerError): SendOutcome {
  const { code, name, command, response = '', responseCode, syscall, timeoutType } = error;
  if (responseCode !== undefined && responseCode >= 400) {
    const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response)?.[1];
    return rejected(['smtp', stepOf(command), responseCode, enhanced].filter(Boolean).join(' '));
  }
  if (UNWRITTEN.has(code)) return rejected('smtp message');
  if (UNCONNECTED.has(code) || CONNECTING.has(timeoutType) || syscall === 'connect') return NOT_SENT;
  return { kind: 'unknown', why: code ?? name };
}

function stepOf(command: string | undefined): 'mail' | 'rcpt' | 'data' | 'auth' {
  if (command === 'MAIL FROM') return 'mail';
  if (command === 'RCPT TO') return 'rcpt';
  return command === 'DATA' ? 'data' : 'auth';
}

function rejected(code: string): SendOutcome {
  return { kind: 'rejected', code, retryAfterMs: null };
}
