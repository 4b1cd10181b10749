import { expect, it } from 'vitest';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { emailBody } from '../fixtures/alerts/channel-bodies.ts';
import { type SmtpFault, startSmtpDouble } from '../fixtures/alerts/smtp-double.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;

// The timeout leaves a busy machine enough time to reach the step at which the mail server goes silent.
it.each<[string, SmtpFault, 'unknown' | 'queued', number]>([
  ['does not resend an email after silence at its end', { at: 'end', silence: true }, 'unknown', 0],
  ['does not resend an email after silence at its recipient', { at: 'rcpt', silence: true }, 'unknown', 0],
  ['resends an email after silence in place of a greeting', { at: 'connect', silence: true }, 'queued', 1],
])('%s', async (_, fault, state, resent) => {
  const smtp = await startSmtpDouble();
  const alerts = await openAlertsApp({
    store: 'embedded',
    variables: {
      ALERT_EMAIL: 'on',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Skylark <alerts@skylark.example>',
      PUBLIC_URL: 'https://skylark.example',
      SMTP_TIMEOUT_SECONDS: '20',
      ALERT_QUIET_HOURS: 'none',
    },
  });
  try {
    smtp.fault = fault;
    const payload = emailBody('some.one@example.com', alerts.itemKeys[0] ?? '');
    await alerts.app.inject({ method: 'POST', url: '/intents', payload });
    await alerts.parts.dispatcher.drain();
    expect((await alerts.messages()).map((message) => message.state)).toEqual([state]);
    smtp.fault = null;
    alerts.passTime(HALF_AN_HOUR_MS);
    await alerts.parts.dispatcher.drain();
    expect(smtp.mails).toHaveLength(resent);
  } finally {
    await alerts.close();
    await smtp.close();
  }
});
