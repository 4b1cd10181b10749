import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SmtpDouble, startSmtpDouble } from '../../../tests/fixtures/alerts/smtp-double.ts';
import { type Mail, type SmtpServer, smtpServer } from './smtp-call.ts';

const MAIL: Mail = {
  from: 'Skylark <alerts@skylark.example>',
  to: 'someone@example.com',
  subject: 'A price drop',
  text: 'It costs less.',
  html: '<p>It costs less.</p>',
  messageId: '<1@skylark.example>',
  headers: {},
};

let double: SmtpDouble;
let server: SmtpServer;
beforeEach(async () => {
  double = await startSmtpDouble();
  server = smtpServer(double.url, 5_000);
});
afterEach(async () => {
  server.close();
  await double.close();
});

const NEVER = new AbortController().signal;
const send = (mail: Mail = MAIL, signal = NEVER) => server.send(mail, signal);

it('sends emails one after the other over one connection, and leaves no listeners on it', async () => {
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on('warning', warned);
  for (let nth = 0; nth < 20; nth += 1) expect(await send()).toMatchObject({ kind: 'accepted' });
  process.off('warning', warned);
  expect(double.connections).toBe(1);
  expect(warnings).toEqual([]);
});

it('refuses an email that cannot be written, and sends the next', async () => {
  const unwritten = { ...MAIL, text: { path: '/a/file' } as unknown as string };
  for (let nth = 0; nth < 6; nth += 1)
    expect(await send(unwritten)).toMatchObject({ kind: 'rejected', code: 'smtp message' });
  expect(await send()).toMatchObject({ kind: 'accepted' });
  expect(double.mails).toHaveLength(1);
});

it('does not send an aborted email, even if a connection is open', async () => {
  expect(await send()).toMatchObject({ kind: 'accepted' });
  const withdrawing = new AbortController();
  const sending = send(MAIL, withdrawing.signal);
  withdrawing.abort();
  expect(await sending).toEqual({ kind: 'unknown', why: 'EABORT' });
  expect(double.mails).toHaveLength(1);
});
