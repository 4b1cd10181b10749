import { hostname } from 'node:os';
import { createTransport } from 'nodemailer';
import { errorMessage } from '../lib/error-message.ts';
import type { NoticeSettings } from './notice-settings.ts';
import type { NoticeEvent, OpenNotice } from './notice-state.ts';

const TIMEOUT_MS = 10_000;

/** The server's name in messages. */
export function siteName(publicUrl: string | null): string {
  return publicUrl === null ? hostname() : new URL(publicUrl).hostname;
}

const PREFIXES: Readonly<Record<NoticeEvent, string>> = { begun: '', lasting: 'Still: ', over: 'Over: ' };

export type SendNotice = (event: NoticeEvent, notice: OpenNotice, now: number) => Promise<void>;

/**
 * Sends a notice by email and webhook. Rejects only if both fail: if one succeeds, a retry would send the
 * notice there twice. `site`: see `siteName`.
 */
export function noticeSender(
  { emails, mail, webhook }: NoticeSettings,
  site: string,
  log: (line: string) => void,
): SendNotice {
  return async (event, notice, now) => {
    const subject = `${PREFIXES[event]}${notice.title}`;
    const since = new Date(notice.since).toISOString();
    const text =
      event === 'over' ? `It began at ${since} and is over at ${new Date(now).toISOString()}.` : notice.text;
    const sent = [];
    if (mail !== null && emails.length > 0) {
      sent.push(sendMail(mail, emails.join(', '), `[${site}] ${subject}`, text));
    }
    if (webhook !== null) {
      const body = { event, key: notice.key, site, since, title: notice.title, text: `${subject}. ${text}` };
      sent.push(post(webhook, body));
    }
    const results = await Promise.allSettled(sent);
    const failed = results.filter((result) => result.status === 'rejected');
    const [first] = failed;
    if (first === undefined) return;
    if (failed.length === results.length) throw first.reason;
    log(`The notice '${subject}' was sent by one channel, but not the other: ${errorMessage(first.reason)}`);
  };
}

async function sendMail(
  { url, from }: { url: string; from: string },
  to: string,
  subject: string,
  text: string,
): Promise<void> {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.sendMail({
      from,
      to,
      subject,
      text: `${text}\n`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    transport.close();
  }
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The webhook responded with status ${response.status}`);
}
