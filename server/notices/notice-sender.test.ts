import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SmtpDouble, startSmtpDouble } from '../../tests/fixtures/alerts/smtp-double.ts';
import { noticeSender, siteName } from './notice-sender.ts';
import { readNoticeSettings } from './notice-settings.ts';

const AT = Date.UTC(2027, 3, 1, 2);
const NOTICE = {
  key: 'feed late SUNW',
  title: 'The feed of SUNW is late',
  text: 'The last import was 31 hours ago.',
  since: AT,
  isSent: false,
  isBeingSent: false,
  sentAt: null,
  silentUntil: null,
  absentSince: null,
};

let smtp: SmtpDouble;
let hook: Server;
let posted: unknown[] = [];
let status = 200;
let logged: string[] = [];
beforeEach(async () => {
  smtp = await startSmtpDouble();
  posted = [];
  status = 200;
  logged = [];
  hook = createServer((request, response) => {
    void json(request).then((body) => {
      posted.push(body);
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
});
afterEach(async () => {
  await smtp.close();
  hook.close();
});

function sender() {
  return noticeSender(
    {
      emails: ['night@skylark.example', 'day@skylark.example'],
      mail: { url: smtp.url, from: 'Skylark <alerts@skylark.example>' },
      webhook: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`,
      feedLateMs: 0,
    },
    siteName('https://holidays.example'),
    (line) => logged.push(line),
  );
}

it('sends an email and a webhook when something begins, and when it is over', async () => {
  await sender()('begun', NOTICE, AT);
  await sender()('over', NOTICE, AT + 3_600_000);
  const [begun, over] = smtp.mails;
  expect(begun?.to).toEqual(['night@skylark.example', 'day@skylark.example']);
  expect(begun?.headers.subject).toBe('[holidays.example] The feed of SUNW is late');
  expect(begun?.source).toContain('The last import was 31 hours ago.');
  expect(over?.headers.subject).toBe('[holidays.example] Over: The feed of SUNW is late');
  expect(posted).toEqual([
    {
      event: 'begun',
      key: 'feed late SUNW',
      site: 'holidays.example',
      since: '2027-04-01T02:00:00.000Z',
      title: 'The feed of SUNW is late',
      text: 'The feed of SUNW is late. The last import was 31 hours ago.',
    },
    expect.objectContaining({
      event: 'over',
      text: 'Over: The feed of SUNW is late. It began at 2027-04-01T02:00:00.000Z and is over at 2027-04-01T03:00:00.000Z.',
    }),
  ]);
});

it('logs the failure of one channel, and rejects if both fail', async () => {
  status = 500;
  await sender()('begun', NOTICE, AT);
  expect(smtp.mails).toHaveLength(1);
  expect(logged).toEqual([expect.stringContaining('The webhook responded with status 500')]);
  smtp.fault = { at: 'rcpt', reply: '550 No such user' };
  await expect(sender()('begun', NOTICE, AT)).rejects.toThrow();
});

describe('readNoticeSettings', () => {
  const smtpChannel = {
    url: 'smtp://mail.example',
    from: 'a@b.example',
    timeoutMs: 1,
  } as const;

  it('reads addresses, a webhook and hours', () => {
    const variables = { NOTICE_EMAIL: 'a@b.example, c@d.example', NOTICE_WEBHOOK: 'https://hook.example/x' };
    expect(readNoticeSettings(variables, smtpChannel)).toEqual({
      kind: 'read',
      value: {
        emails: ['a@b.example', 'c@d.example'],
        mail: { url: 'smtp://mail.example', from: 'a@b.example' },
        webhook: 'https://hook.example/x',
        feedLateMs: 30 * 3_600_000,
      },
    });
  });

  it.each([
    [
      { NOTICE_EMAIL: 'nowhere' },
      'NOTICE_EMAIL must be email addresses, separated by commas (got "nowhere").',
    ],
    [{ NOTICE_EMAIL: 'a@b.example' }, 'SMTP_URL must be set: NOTICE_EMAIL needs a mail server.'],
  ])('refuses %o', (variables, message) => {
    expect(readNoticeSettings(variables, null)).toEqual({ kind: 'refused', message });
  });
});
