import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD_NOTE, hashPassword } from '../../server/admin/admin-password.ts';
import { beginAttempt, endAttempt } from '../../server/feed/attempts/attempt-table.ts';
import { writeLastImport } from '../../server/feed/write/store-notes.ts';
import { writeNote } from '../../server/storage/notes.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { NOW } from '../fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

const PASSWORD = 'a password for tests only';
const FROM_PAGE = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
const MINUTE = 60_000;

describe.each(STORE_KINDS)('/admin, with the %s store', (kind) => {
  let store: TestStore;
  let small: SmallApp;
  let acts: string[] = [];
  beforeEach(async () => {
    store = await makeStore(kind);
    acts = [];
    small = await openSmallApp({
      store,
      admin: true,
      mode: 'production',
      monotonicNow: () => 0,
      commands: {
        async actOnFeed(act, provider) {
          acts.push(`${act} ${provider}`);
          return { exit: 0, said: 'done' };
        },
        async testNotice() {
          acts.push('notice');
          return { exit: 0, said: 'sent' };
        },
        async silence(problem, until) {
          acts.push(`silence ${problem} until ${until}`);
          return { exit: 0, said: 'silent' };
        },
        async checkFeed(provider, file) {
          acts.push(`check ${provider} in ${file}`);
          return { exit: 3, said: 'Prices are 24%' };
        },
      },
    });
  });
  afterEach(async () => {
    await small.close();
  });

  async function write(
    work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>,
  ): Promise<void> {
    const database = await openDatabase(store.address);
    await work(database);
    await database.close();
  }

  async function setPassword(password = PASSWORD): Promise<void> {
    const hash = await hashPassword(password);
    await write((database) => writeNote(database, ADMIN_PASSWORD_NOTE, hash));
  }

  function signIn(
    password: string,
    headers: Record<string, string> = FROM_PAGE,
    remoteAddress = '192.0.2.1',
  ) {
    const payload = new URLSearchParams({ password }).toString();
    return small.app.inject({ method: 'POST', url: '/admin/sign-in', headers, payload, remoteAddress });
  }

  const get = (cookie = '') => small.app.inject({ url: '/admin', headers: { cookie } });
  const cookieOf = ({ headers }: LightMyRequestResponse) =>
    String([headers['set-cookie']].flat()[0]).split(';')[0];

  it('does not exist without a password', async () => {
    expect((await get()).statusCode).toBe(404);
    expect((await signIn(PASSWORD)).statusCode).toBe(404);
  });

  it('shows the store to an operator who signs in, until they sign out', async () => {
    await setPassword();
    const counts = { packages: 1_234, added: 0, changed: 0, removed: 0, refused: 7 };
    await write(async (database) => {
      await writeNote(database, 'backup.failed', 'No space.');
      await writeLastImport(database, 'SUN', {
        at: new Date(NOW).toISOString(),
        format: 'items-csv',
        ...counts,
      });
    });
    const locked = await get();
    expect(locked.body).toContain('<h1>Sign in</h1>');
    expect(locked.body).not.toContain('1,234');

    const signedIn = await signIn(PASSWORD);
    expect([signedIn.statusCode, signedIn.headers.location]).toEqual([303, '/admin']);
    expect(signedIn.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^skylark_admin=\S+; Path=\/admin; Max-Age=1800; HttpOnly; SameSite=Strict; Secure$/,
      ),
      expect.stringMatching(
        /^skylark_admin_device=\S+; Path=\/admin; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    const cookie = cookieOf(signedIn);
    const page = await get(cookie);
    expect(page.headers['cache-control']).toBe('no-store');
    for (const words of [
      '<h1>Operations</h1>',
      '1,234',
      '2027-05',
      'embedded|PostgreSQL',
      'Sign out',
      'The backup failed',
    ]) {
      expect(page.body).toMatch(new RegExp(words));
    }

    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const signOut = (sent: string) =>
      small.app.inject({
        method: 'POST',
        url: '/admin/sign-out',
        headers: { ...FROM_PAGE, cookie: String(cookie) },
        payload: `token=${sent}`,
      });
    expect((await signOut('wrong')).statusCode).toBe(403);
    expect((await signOut(token)).headers['set-cookie']).toContain('Max-Age=0');
  });

  it('imports or discards the held feed that the operator saw, and no other', async () => {
    await setPassword();
    let attempt = 0;
    await write(async (database) => {
      attempt = await beginAttempt(database, { provider: 'SUN', source: 'a file', now: NOW });
      const message = '62% fewer packages than yesterday';
      await endAttempt(database, attempt, { outcome: 'held', message, detail: {}, now: NOW });
    });
    const cookie = String(cookieOf(await signIn(PASSWORD)));
    const { body } = await get(cookie);
    expect(body).toContain('The feed of SUN needs your decision.');
    expect(body).toContain('62% fewer packages than yesterday');
    const token = /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const act = (fields: Record<string, string>, headers: Record<string, string> = { cookie }) =>
      small.app.inject({
        method: 'POST',
        url: '/admin/act',
        headers: { ...FROM_PAGE, ...headers },
        payload: new URLSearchParams({
          act: 'accept',
          provider: 'SUN',
          attempt: `${attempt}`,
          token,
          ...fields,
        }).toString(),
      });
    expect((await act({}, {})).headers.location).toBe('/admin');
    expect((await act({ token: 'wrong' })).statusCode).toBe(403);
    expect((await act({ act: 'remove' })).statusCode).toBe(403);
    expect((await act({ attempt: `${attempt + 1}` })).headers.location).toBe('/admin?news=changed');
    expect(acts).toEqual([]);
    expect((await act({})).headers.location).toBe('/admin?news=accept');
    expect((await act({ act: 'discard' })).headers.location).toBe('/admin?news=discard');
    expect(acts).toEqual(['accept SUN', 'discard SUN']);
    acts = [];
    expect((await act({ act: 'run' })).headers.location).toBe('/admin?news=run');
    expect((await act({ act: 'rollback' })).headers.location).toBe('/admin?news=rollback');
    expect((await act({ act: 'notice' })).headers.location).toBe('/admin?news=notice');
    const silence = { act: 'silence', problem: 'feed held SUN', until: '2027-06-12' };
    expect((await act(silence)).headers.location).toBe('/admin?news=silence');
    expect((await act({ ...silence, until: 'soon' })).statusCode).toBe(403);
    expect((await act({ act: 'run', provider: '../x' })).statusCode).toBe(403);
    expect(acts).toEqual(['run SUN', 'rollback SUN', 'notice', 'silence feed held SUN until 2027-06-12']);
  });

  it('proposes a mapping for a sample, checks it, and imports nothing', async () => {
    await setPassword();
    const cookie = String(cookieOf(await signIn(PASSWORD)));
    const token = /name="token" value="([^"]+)"/.exec((await get(cookie)).body)?.[1] ?? '';
    const post = async (
      fields: Record<string, string | File>,
      headers: Record<string, string> = { cookie },
    ) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ token, code: 'PROV', name: 'Prov <b>', ...fields }))
        form.append(name, value);
      const body = new Response(form);
      return small.app.inject({
        method: 'POST',
        url: '/admin/new-provider',
        headers: { ...FROM_PAGE, ...headers, 'content-type': body.headers.get('content-type') ?? '' },
        payload: Buffer.from(await body.arrayBuffer()),
      });
    };
    const csv =
      'hotel,country,resort,date,nights,from,price,url\nSol <i>,Spain,Benidorm,2027-06-12,7,LGW,799.50,https://www.a.example/1\n';
    const file = new File([csv], 'feed.csv');
    expect((await post({ file }, {})).headers.location).toBe('/admin');
    expect((await post({ file, token: 'wrong' })).statusCode).toBe(403);
    expect((await post({ code: 'x', file })).body).toContain('2 to 10 capital letters');
    expect((await post({ source: '/etc/passwd' })).body).toContain(
      'Choose a file, or give an https address.',
    );
    const { body } = await post({ file });
    for (const shown of [
      'column price',
      '&quot;www.a.example&quot;',
      'Sol &lt;i&gt;',
      'Prices are 24%',
      'The check has findings',
      '&quot;mapping&quot;: &quot;prov-mapping.json&quot;',
    ])
      expect(body).toContain(shown);
    const sample = /name="sample" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const again = await post({ sample, mapping: '{ "fields": {} }' });
    expect(again.body).toContain('must be mapped too');
    expect((await post({ sample: 'unknown' })).body).toContain('The sample has been deleted');
    expect(acts).toEqual([expect.stringMatching(/^check PROV in .*providers\.json$/)]);
  });

  it('refuses wrong passwords, and every attempt after five in a minute', async () => {
    await setPassword();
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await signIn('wrong')).statusCode).toBe(401);
    const limited = await signIn(PASSWORD);
    expect([limited.statusCode, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await signIn(PASSWORD, FROM_PAGE, '192.0.2.2')).statusCode).toBe(303);
  });

  it('lets devices that have signed in before try while strangers use up the attempts of all', async () => {
    await setPassword();
    const [, device = ''] = [(await signIn(PASSWORD)).headers['set-cookie']].flat();
    const known = { ...FROM_PAGE, cookie: String(device).split(';')[0] ?? '' };
    const strangers = Array.from({ length: 30 }, (_, nth) => `198.51.100.${nth}`);
    await Promise.all(strangers.map((address) => signIn('wrong', FROM_PAGE, address)));
    expect((await signIn(PASSWORD, FROM_PAGE, '192.0.2.7')).statusCode).toBe(429);
    expect((await signIn(PASSWORD, known, '198.51.100.1')).statusCode).toBe(303);
    await setPassword('another password for tests');
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect((await signIn('wrong', known)).statusCode).toBe(401);
    expect((await signIn(PASSWORD, known)).statusCode).toBe(429);
    const forged = { ...known, cookie: known.cookie.replace('=', '=x') };
    expect((await signIn(PASSWORD, forged, '192.0.2.8')).statusCode).toBe(429);
  });

  it('refuses forms of other sites', async () => {
    await setPassword();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const headers of [
      type,
      { ...type, 'sec-fetch-site': 'cross-site' },
      { ...type, origin: 'https://evil.example', host: 'holidays.example' },
    ]) {
      expect((await signIn(PASSWORD, headers)).statusCode).toBe(403);
    }
    const own = { ...type, origin: 'https://holidays.example', host: 'holidays.example' };
    expect((await signIn(PASSWORD, own)).statusCode).toBe(303);
  });

  it('ends a session after half an hour without a request, after eight hours, and with a new password', async () => {
    await setPassword();
    const isOpen = async (cookie: string | undefined) =>
      (await get(cookie)).body.includes('<h1>Operations</h1>');
    const first = cookieOf(await signIn(PASSWORD));
    small.passTime(31 * MINUTE);
    expect(await isOpen(first)).toBe(false);

    let cookie = cookieOf(await signIn(PASSWORD));
    for (let turn = 0; turn < 16; turn += 1) {
      small.passTime(29 * MINUTE);
      cookie = cookieOf(await get(cookie));
    }
    expect(await isOpen(cookie)).toBe(true);
    small.passTime(20 * MINUTE);
    expect(await isOpen(cookie)).toBe(false);

    const last = cookieOf(await signIn(PASSWORD));
    expect(await isOpen(last)).toBe(true);
    await setPassword('another password for tests');
    expect(await isOpen(last)).toBe(false);
  });

  it('accepts no cookie that it has not signed', async () => {
    await setPassword();
    const [name, value = ''] = String(cookieOf(await signIn(PASSWORD))).split('=');
    const [id, started, , signature] = value.split('.');
    const longer = `${name}=${id}.${started}.${NOW + 60 * MINUTE}.${signature}`;
    for (const cookie of [longer, `${name}=`, `${name}=...`, 'skylark_admin=x.1.1.']) {
      expect((await get(cookie)).body).toContain('<h1>Sign in</h1>');
    }
  });
});

it('is only at a port of its own, if it has one', async () => {
  const store = await makeStore('embedded');
  const port = await freePort();
  const small = await openSmallApp({ store, admin: true, adminPort: port, mode: 'production' });
  const database = await openDatabase(store.address);
  await writeNote(database, ADMIN_PASSWORD_NOTE, await hashPassword(PASSWORD));
  await database.close();
  const url = await small.app.listen({ port: 0, host: '127.0.0.1' });
  const statuses = await Promise.all(
    [`${url}/admin`, `${url}/admin/admin.css`, `http://127.0.0.1:${port}/admin`].map(async (at) => {
      const response = await fetch(at);
      await response.text();
      return response.status;
    }),
  );
  expect(statuses).toEqual([404, 404, 200]);

  // As Safari does over http: without Sec-Fetch-Site, and without sending back a Secure cookie.
  const own = `http://localhost:${port}`;
  const page = await fetch(`${own}/admin`);
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  expect(await page.text()).toContain('<h1>Sign in</h1>');
  const signedIn = await fetch(`${own}/admin/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: own },
    body: new URLSearchParams({ password: PASSWORD }),
  });
  expect(signedIn.status).toBe(303);
  expect(signedIn.headers.getSetCookie().join()).not.toMatch(/Secure|__Host-/);
  await small.close();
  await expect(fetch(`http://127.0.0.1:${port}/admin`)).rejects.toThrow();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
