import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDebianProgram } from '../fixtures/debian-programs.ts';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reverse-proxy.md'), 'utf8');
const LIMIT = 30;

/** Replaces the example's limit, so that a few requests exceed it. */
const CONNECTIONS = 10;
const BURST = 100;

describe.each(['nginx', 'caddy'] as const)('%s, set up as the documents say,', (name) => {
  const program = findDebianProgram(name);
  if (program.kind === 'missing') {
    it(`WAS SKIPPED: ${program.reason}`, () => {
      console.warn(`\n*** Nothing was tried with ${name}: ${program.reason} ***\n`);
      expect(program.reason).not.toBe('');
    });
    return;
  }

  let skylark: RunningSkylark;
  let market: Awaited<ReturnType<typeof marketFolder>>;
  let folder: ReturnType<typeof temporaryFolder>;
  let proxy: ChildProcess;
  let ports: Ports;
  beforeAll(async () => {
    market = await marketFolder();
    folder = temporaryFolder();
    skylark = await startSkylark(market.dataDir, {
      SAMPLE_INVENTORY: 'off',
      TRUST_PROXY: 'loopback',
      REQUEST_LIMIT: String(LIMIT),
    });
    ports = { http: await freePort(), https: await freePort(), plain: await freePort() };
    const upstream = new URL(skylark.url).port;
    proxy = name === 'nginx' ? startNginx(upstream) : startCaddy(upstream);
    await untilListening(ports.https, proxy);
  }, 60_000);
  afterAll(async () => {
    proxy.kill('SIGTERM');
    await once(proxy, 'exit');
    await skylark.stop();
    await market.remove();
    folder.remove();
  });

  const ask = (path: string, options: Asked = {}) => askOverTls(ports.https, path, options);

  it.each(['/metrics', '/metrics?', '/outbox', '/outbox/outbox.css', '/%6detrics', '//metrics'])(
    'does not show %s',
    async (path) => {
      const { status, body } = await ask(path);
      expect([301, 308, 403, 404]).toContain(status);
      expect(body).not.toMatch(/skylark_|Local outbox/);
    },
  );

  it('passes on the page with its security headers, compressed by the server', async () => {
    const { status, headers } = await ask('/data/locations.csv', { headers: { 'accept-encoding': 'br' } });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe('br');
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('logs the id of a request without its query', async () => {
    const { headers } = await ask('/healthz?secret=1');
    const id = String(headers['x-request-id']);
    const logged = () => readFileSync(join(folder.path, 'access.log'), 'utf8');
    await expect.poll(logged).toMatch(new RegExp(`/healthz\\b.*${id}`));
    expect(logged()).not.toContain('secret');
  });

  it('rejects a body over 64 kB', async () => {
    const headers = { 'content-type': 'application/json' };
    const { status } = await ask('/intents', { method: 'POST', body: 'x'.repeat(200_000), headers });
    // Caddy 2.6 reports its own rejection as a fault of the server behind it.
    expect([413, 502]).toContain(status);
  });

  it('ends a body that does not arrive in time', async () => {
    const stalled = request({
      ...tlsTo(ports.https),
      path: '/intents',
      method: 'POST',
      headers: { host: 'holidays.example', 'content-type': 'application/json', 'content-length': '1000' },
    });
    const answer = new Promise<string>((resolve) => {
      stalled.on('error', () => resolve(''));
      stalled.on('response', (response) => void text(response).then(resolve, () => resolve('')));
    });
    stalled.write('{');
    // Caddy 2.6 ends the request with an empty response, nginx without one.
    expect(await answer).toBe('');
    stalled.destroy();
  });

  it('redirects visitors without TLS to the same URL with it', async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/results?a=1`, {
      redirect: 'manual',
      headers: { host: 'holidays.example' },
    });
    expect([301, 308]).toContain(answer.status);
    expect(answer.headers.get('location')).toMatch(/^https:\/\/.+\/results\?a=1$/);
  });

  if (name === 'nginx') {
    it('shows neither /metrics nor /outbox with only a proxy_pass line', async () => {
      for (const path of ['/metrics', '/outbox']) {
        expect((await fetch(`http://127.0.0.1:${ports.plain}${path}`)).status).toBe(404);
      }
      expect((await fetch(`http://127.0.0.1:${ports.plain}/healthz`)).status).toBe(200);
    });
  }

  if (name === 'nginx') {
    it('rejects further connections of a visitor with 429', async () => {
      const headers = { 'content-type': 'application/json', 'content-length': '1000' };
      const stalled = Array.from({ length: CONNECTIONS }, () => {
        const upload = request({ ...tlsTo(ports.https), path: '/intents', method: 'POST', headers });
        upload.on('error', () => {});
        upload.write('{');
        return upload;
      });
      // The proxy does not end a body that keeps arriving, however slowly.
      const trickle = setInterval(() => {
        for (const upload of stalled) upload.write(' ');
      }, 500);
      await expect.poll(async () => (await ask('/healthz')).status, { timeout: 20_000 }).toBe(429);
      clearInterval(trickle);
      for (const upload of stalled) upload.destroy();
      await expect.poll(async () => (await ask('/healthz')).status).toBe(200);
    });
  }

  // Last, because these two tests use up a visitor's allowance.
  it('counts a visitor once, even if it claims different IP addresses', async () => {
    const statusFrom = async (nth: number) => {
      const headers = { 'x-forwarded-for': `198.51.100.${nth}`, 'content-type': 'application/json' };
      return (await ask('/vitals', { method: 'POST', body: '{}', headers })).status;
    };
    // Waits until the proxy has closed the connections of the previous test.
    await expect.poll(() => statusFrom(0)).toBe(400);
    const statuses: number[] = [];
    for (let nth = 1; nth <= LIMIT; nth += 1) statuses.push(await statusFrom(nth));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });

  if (name === 'nginx') {
    it('rejects a flood of requests with 429 itself', async () => {
      const floods = Array.from({ length: CONNECTIONS - 1 }, async () => {
        for (let nth = 0; nth < 3 * BURST; nth += 1) {
          const { status, headers } = await ask('/healthz');
          if (status === 429) return headers['x-request-id'];
        }
        return 'no refusal';
      });
      // A response from the server would have a request ID.
      expect(new Set(await Promise.all(floods))).toEqual(new Set([undefined]));
    });
  }

  function startNginx(upstream: string): ChildProcess {
    const [certificate, key] = [join(folder.path, 'certificate.pem'), join(folder.path, 'key.pem')];
    const asked = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=holidays.example';
    const made = spawnSync('openssl', asked.split(' ').concat('-keyout', key, '-out', certificate));
    expect(made.status).toBe(0);
    const site = example('nginx')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${upstream}`)
      .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${ports.https} `)
      .replace('/etc/ssl/holidays.example/fullchain.pem', certificate)
      .replace('/etc/ssl/holidays.example/privkey.pem', key)
      .replace('/var/log/nginx/skylark.log', join(folder.path, 'access.log'))
      .replace('client_body_timeout 15s', 'client_body_timeout 3s')
      .replace('limit_conn connections 100', `limit_conn connections ${CONNECTIONS}`)
      .replace('rate=50r/s', 'rate=5r/s')
      .replace('burst=200', `burst=${BURST}`);
    mkdirSync(join(folder.path, 'temporary'));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${join(folder.path, 'temporary', kind)};`)
      .join('\n');
    const file = join(folder.path, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${join(folder.path, 'pid')}; error_log stderr warn;
events { worker_connections 256; }
http { access_log off; ${temporary}
${site}
server { listen 127.0.0.1:${ports.plain}; location / { proxy_pass http://127.0.0.1:${upstream}; } } }`,
    );
    return spawn(programPath(), ['-p', folder.path, '-c', file, '-e', 'stderr'], { stdio: 'ignore' });
  }

  function startCaddy(upstream: string): ChildProcess {
    const site = example('caddyfile')
      .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)
      // With Caddy's own certificate, and without services on other ports.
      .replace(
        '{\n',
        `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n`,
      )
      .replace('holidays.example {\n', 'holidays.example {\n\ttls internal\n')
      .replace('/var/log/caddy/skylark.log', join(folder.path, 'access.log'))
      .replace('read_body 30s', 'read_body 1s');
    const file = join(folder.path, 'Caddyfile');
    writeFileSync(file, site);
    const env = {
      ...process.env,
      XDG_DATA_HOME: folder.path,
      XDG_CONFIG_HOME: folder.path,
      HOME: folder.path,
    };
    return spawn(programPath(), ['run', '--config', file, '--adapter', 'caddyfile'], {
      stdio: 'ignore',
      env,
    });
  }

  function programPath(): string {
    if (program.kind === 'missing') throw new Error(program.reason);
    return program.path;
  }
});

interface Ports {
  http: number;
  https: number;
  /** The port of an nginx server that only forwards requests, without further settings. */
  plain: number;
}

interface Asked {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** The example configuration in docs/reverse-proxy.md, by the language of its code block. */
function example(language: 'nginx' | 'caddyfile'): string {
  const found = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`docs/reverse-proxy.md has no example for ${language}`);
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilListening(port: number, proxy: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (proxy.exitCode !== null) throw new Error(`The proxy ended with code ${proxy.exitCode}`);
    const answer = await askOverTls(port, '/healthz', {}).catch(() => null);
    if (answer?.status === 200) return;
    await sleep(100);
  }
  throw new Error('The proxy does not answer');
}

function tlsTo(port: number) {
  return {
    host: '127.0.0.1',
    port,
    servername: 'holidays.example',
    rejectUnauthorized: false,
    agent: false,
  } as const;
}

async function askOverTls(port: number, path: string, { method = 'GET', body, headers = {} }: Asked) {
  const sent = request({
    ...tlsTo(port),
    path,
    method,
    headers: { host: 'holidays.example', ...headers },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [response] = await answered;
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
