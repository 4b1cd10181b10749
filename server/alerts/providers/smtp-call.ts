import { createTransport, type NodemailerError } from 'nodemailer';

/** An email; plain values, because it is sent to another thread. */
export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

export type MailResult =
  | { kind: 'accepted' }
  /**
   * The server's reply: the step, its code, and its enhanced code if it has one, such as `smtp rcpt 550 5.1.1`. Or
   * `smtp message`: the email cannot be written.
   */
  | { kind: 'refused'; code: string }
  | { kind: 'not sent' }
  | { kind: 'unknown'; why: string };

/** Connections at the same time, and messages on each: providers limit both. */
export const MAX_CONNECTIONS = 5;
const MAX_MESSAGES = 100;

/** An unused connection is closed after this time, in milliseconds. */
const IDLE_MS = 10_000;

/** Connections to one SMTP server. */
export interface SmtpServer {
  /** Sends one email, aborted at `deadline` (milliseconds since 1970). Never throws. */
  send(mail: Mail, signal: AbortSignal, deadline: number): Promise<MailResult>;
  close(): void;
}

/** `timeoutMs` is the time that one email may take. */
export function smtpServer(url: string, timeoutMs: number): SmtpServer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAX_MESSAGES,
    idleTimeout: IDLE_MS,
    // Before the deadline, so that an email that was not begun is known not to be sent.
    connectionTimeout: timeoutMs / 2,
    greetingTimeout: timeoutMs / 2,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail, signal, deadline) {
      const leftMs = deadline - Date.now();
      if (signal.aborted || leftMs <= 0) return { kind: 'not sent' };
      try {
        await transport.sendMail({ ...mail, signal: AbortSignal.any([signal, AbortSignal.timeout(leftMs)]) });
        return { kind: 'accepted' };
      } catch (error) {
        return resultOf(error as NodemailerError);
      }
    },
    close: () => transport.close(),
  };
}

/** Connects and logs in without sending anything. Null: it works; else the server's refusal, or `no connection`. */
export async function tryLogin(url: string, timeoutMs: number): Promise<string | null> {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url, ...timeouts });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    const result = resultOf(error as NodemailerError);
    return result.kind === 'refused' ? result.code : 'no connection';
  } finally {
    transport.close();
  }
}

/** Errors of an email that cannot be written. */
const UNWRITTEN: ReadonlySet<unknown> = new Set(['EFILEACCESS', 'EURLACCESS', 'ESTREAM']);

/** Errors before the server has answered, and so before any email. */
const UNCONNECTED: ReadonlySet<unknown> = new Set(['EDNS', 'ETLS', 'EPROXY']);
const CONNECTING: ReadonlySet<unknown> = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']);

/** A connection that is lost, silent or aborted later may have carried the email. */
function resultOf(error: NodemailerError): MailResult {
  const { code, name, command, response = '', responseCode, syscall, timeoutType } = error;
  if (responseCode !== undefined && responseCode >= 400) {
    const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response)?.[1];
    return {
      kind: 'refused',
      code: ['smtp', stepOf(command), responseCode, enhanced].filter(Boolean).join(' '),
    };
  }
  if (UNWRITTEN.has(code)) return { kind: 'refused', code: 'smtp message' };
  if (UNCONNECTED.has(code) || CONNECTING.has(timeoutType) || syscall === 'connect')
    return { kind: 'not sent' };
  return { kind: 'unknown', why: code ?? name };
}

function stepOf(command: string | undefined): 'mail' | 'rcpt' | 'data' | 'auth' {
  if (command === 'MAIL FROM') return 'mail';
  if (command === 'RCPT TO') return 'rcpt';
  return command === 'DATA' ? 'data' : 'auth';
}
