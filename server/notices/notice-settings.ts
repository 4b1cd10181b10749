import * as v from 'valibot';
import { parseEmailAddress } from '../../domain/email-address.ts';
import type { SmtpSettings } from '../alerts/providers/smtp.ts';
import type { Read, Variables } from '../environment/read-environment.ts';
import { defineSettings, secretSetting, setting } from '../environment/schema.ts';
import { httpUrl, listOf, orNull, wholeNumber } from '../environment/values.ts';

const HOUR_MS = 3_600_000;

const NOTICES = defineSettings({
  emails: setting(
    'NOTICE_EMAIL',
    listOf((text) => parseEmailAddress(text).kind === 'valid', 'email addresses, separated by commas'),
  ),
  webhook: secretSetting('NOTICE_WEBHOOK', orNull(httpUrl)),
  // More than a day, because a nightly import may finish later than the night before.
  feedLateMs: setting(
    'NOTICE_FEED_HOURS',
    v.pipe(
      v.optional(wholeNumber(1, 8_760), '30'),
      v.transform((hours) => hours * HOUR_MS),
    ),
  ),
});

export const { variables: NOTICE_VARIABLES, secrets: NOTICE_SECRETS } = NOTICES;

/** Who is notified of failures, and when a feed counts as late. */
export interface NoticeSettings {
  emails: readonly string[];
  /** The mail server and the sender's address; null if there are no emails. */
  mail: { url: string; from: string } | null;
  webhook: string | null;
  feedLateMs: number;
}

export function readNoticeSettings(
  variables: Variables,
  mailServer: SmtpSettings | null,
): Read<NoticeSettings> {
  const read = NOTICES.read(variables);
  if (read.kind === 'refused') return read;
  const mail = mailServer && { url: mailServer.url, from: mailServer.from };
  if (read.value.emails.length > 0 && mail === null) {
    return { kind: 'refused', message: 'SMTP_URL must be set: NOTICE_EMAIL needs a mail server.' };
  }
  return { kind: 'read', value: { ...read.value, mail } };
}

/** Whether anyone is notified. */
export function hasRecipient({ emails, webhook }: NoticeSettings): boolean {
  return emails.length > 0 || webhook !== null;
}
