import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { errorCode } from '../../lib/error-message.ts';

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

/** Connections at once, and messages of one: providers limit both. */
const MAX_CONNECTIONS = 5;
const MESSAGES_EACH = 100;

/** An unused connection is closed after this time, in milliseconds. */
const IDLE_MS = 10_000;

/** How often a free connection is looked for, in milliseconds. */
const WAIT_MS = 20;

interface Session {
  connection: SMTPConnection;
  sent: number;
  isOpen: boolean;
  closing: NodeJS.Timeout | null;
}

/** Connections to one SMTP server. */
export interface SmtpServer {
  /** Sends one email, given up at `deadline` (milliseconds since 1970). Never throws. */
  send(mail: Mail, signal: AbortSignal, deadline: number): Promise<MailResult>;
  close(): void;
}

export function smtpServer(url: string): SmtpServer {
  const idle: Session[] = [];
  let open = 0;

  function release(session: Session): void {
    session.sent += 1;
    if (!session.isOpen || session.sent >= MESSAGES_EACH) {
      end(session);
      return;
    }
    session.closing = setTimeout(() => {
      idle.splice(idle.indexOf(session), 1);
      end(session);
    }, IDLE_MS);
    session.closing.unref();
    idle.push(session);
  }

  function end({ connection }: Session): void {
    open -= 1;
    connection.quit();
    setTimeout(() => connection.close(), 1_000).unref();
  }

  async function acquire(signal: AbortSignal, deadline: number): Promise<Session | MailResult> {
    for (;;) {
      if (signal.aborted || Date.now() >= deadline) return { kind: 'not sent' };
      for (let session = idle.shift(); session !== undefined; session = idle.shift()) {
        if (session.closing !== null) clearTimeout(session.closing);
        if (session.isOpen) return session;
        open -= 1;
      }
      if (open < MAX_CONNECTIONS) break;
      await sleep(WAIT_MS);
    }
    open += 1;
    const session = await connect(url, signal, deadline);
    if (!('connection' in session)) open -= 1;
    return session;
  }

  return {
    async send(mail, signal, deadline) {
      const message = await compose(mail).catch(() => null);
      if (message === null) return { kind: 'refused', code: 'smtp message' };
      for (;;) {
        const session = await acquire(signal, deadline);
        if (!('connection' in session)) return session;
        const wasUsed = session.sent > 0;
        const result = await sendOver(session, { mail, message }, signal, deadline).finally(() =>
          release(session),
        );
        // The server has closed a connection that was not in use: a new one is tried.
        const isStale = wasUsed && result.kind === 'not sent' && !signal.aborted && Date.now() < deadline;
        if (!isStale) return result;
      }
    },
    close() {
      for (const session of idle.splice(0)) end(session);
    },
  };
}

async function connect(url: string, signal: AbortSignal, deadline: number): Promise<Session | MailResult> {
  const { auth, ...options } = parseConnectionUrl(url);
  const timeout = Math.max(1, deadline - Date.now());
  const connection = new SMTPConnection({
    ...options,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: Math.max(timeout, IDLE_MS * 2),
  });
  const session: Session = { connection, sent: 0, isOpen: true, closing: null };
  connection.on('end', () => {
    session.isOpen = false;
  });
  // An error between two steps has nobody to tell.
  connection.on('error', () => {});
  const failed = await untilDone(connection, signal, deadline, (done) => {
    connection.connect((error) => {
      if (error) done(error);
      else if (auth === undefined) done(null);
      else connection.login(auth, (refused) => done(refused ?? null));
    });
  });
  if (failed === null) return session;
  session.isOpen = false;
  connection.close();
  return refusalOf(failed, 'auth') ?? { kind: 'not sent' };
}

/** Connects and logs in, without sending anything. Null: it works; else what the server said, or that it said nothing. */
export async function tryLogin(url: string, timeoutMs: number): Promise<string | null> {
  const session = await connect(url, new AbortController().signal, Date.now() + timeoutMs);
  if (!('connection' in session)) return session.kind === 'refused' ? session.code : 'no connection';
  session.connection.quit();
  setTimeout(() => session.connection.close(), 1_000).unref();
  return null;
}

async function sendOver(
  session: Session,
  { mail, message }: { mail: Mail; message: Buffer },
  signal: AbortSignal,
  deadline: number,
): Promise<MailResult> {
  /** Whether a byte of the message may have left: the server has accepted sender and recipient, and asked for it. */
  let mayBeSent = false;
  const body = Readable.from(
    (function* () {
      mayBeSent = true;
      yield message;
    })(),
    { objectMode: false },
  );
  const { connection } = session;
  const failed = await untilDone(connection, signal, deadline, (done) => {
    const envelope = { from: addressIn(mail.from), to: [mail.to], size: message.length };
    connection.send(envelope, body, (error) => done(error ?? null));
  });
  if (failed === null) return { kind: 'accepted' };
  const refused = refusalOf(failed, mayBeSent ? 'data' : 'envelope');
  // After a refusal, the next message of this connection needs a reset: a new connection is simpler.
  session.isOpen = false;
  if (refused !== null) return refused;
  if (!mayBeSent) return { kind: 'not sent' };
  const code = errorCode(failed);
  return { kind: 'unknown', why: typeof code === 'string' ? code : failed.name };
}

/** Resolves with the error of a step, or with null. A lost connection, an abort and the deadline count as errors. */
function untilDone(
  connection: SMTPConnection,
  signal: AbortSignal,
  deadline: number,
  start: (done: (error: Error | null) => void) => void,
): Promise<Error | null> {
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  const fail = (error: Error) => resolve(error);
  const giveUp = () => resolve(Object.assign(new Error('Given up'), { code: 'ETIMEDOUT' }));
  const ended = () => resolve(Object.assign(new Error('Connection closed'), { code: 'ECONNRESET' }));
  const timer = setTimeout(giveUp, Math.max(0, deadline - Date.now()));
  signal.addEventListener('abort', giveUp, { once: true });
  connection.on('error', fail).on('end', ended);
  start(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    connection.off('error', fail).off('end', ended);
  });
}

/** The server's refusal in an error; null if the server said nothing. */
function refusalOf(error: Error, step: 'auth' | 'envelope' | 'data'): MailResult | null {
  const { responseCode, response, command } = error as Error & {
    responseCode?: number;
    response?: string;
    command?: string;
  };
  if (typeof responseCode !== 'number' || responseCode < 400) return null;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response ?? '')?.[1];
  const at = step === 'envelope' ? (command?.startsWith('RCPT') ? 'rcpt' : 'mail') : step;
  return { kind: 'refused', code: ['smtp', at, responseCode, enhanced].filter(Boolean).join(' ') };
}

async function compose({ from, to, subject, text, html, messageId, headers }: Mail): Promise<Buffer> {
  return new MailComposer({
    from,
    to,
    subject,
    text,
    html,
    messageId,
    headers,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** The address in `Name <address>`. */
function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
