import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptsOf } from '../../server/feed/attempts/attempt-table.ts';
import { sftpTrouble } from '../../server/feed/source/sftp-source.ts';
import { type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';

const SSHD = '/usr/sbin/sshd';
const isInstalled = existsSync(SSHD) && sftpTrouble() === null;
if (!isInstalled) process.stderr.write('Skipped: feeds by SFTP, because sshd or sftp is not installed.\n');

describe.skipIf(!isInstalled)('a feed by SFTP', () => {
  let site: FeedSite;
  let port: number;
  let server: ReturnType<typeof spawn>;
  let folder: string;
  let hostKey: string;

  beforeAll(async () => {
    site = await makeFeedSite();
    folder = join(site.folder, 'sftp server');
    mkdirSync(folder);
    for (const name of ['host', 'own', 'other'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
    hostKey = keyOf('host');
    writeFileSync(join(folder, 'authorized'), `${keyOf('own')}\n`, { mode: 0o600 });
    port = await freePort();
    const config = join(folder, 'config');
    const settings = [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey "${join(folder, 'host')}"`,
      `AuthorizedKeysFile "${join(folder, 'authorized')}"`,
      'PasswordAuthentication no',
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'Subsystem sftp internal-sftp',
    ];
    writeFileSync(config, settings.join('\n'));
    mkdirSync('/run/sshd', { recursive: true });
    server = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    await once(server.stderr ?? server, 'data');
  });
  afterAll(async () => {
    server.kill();
    await site.close();
  });

  const keyOf = (name: string) =>
    readFileSync(join(folder, `${name}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ');
  const put = (name: string, count: number, day: number) => {
    const items = Array.from({ length: count }, (_, nth) => feedItem({ HotelIdentifierCode: `H${nth}` }));
    writeFileSync(join(folder, name), ndjson(items));
    utimesSync(join(folder, name), new Date(2026, 9, day), new Date(2026, 9, day));
  };
  const run = (path: string, credentials: Record<string, unknown> = {}) => {
    // With default permissions, as mounted secrets often have.
    const keyFile = site.file('key', readFileSync(join(folder, 'own')));
    const feed = {
      source: `sftp://127.0.0.1:${port}${encodeURI(join(folder, path))}`,
      credentials: { user: userInfo().username, keyFile, hostKey, ...credentials },
    };
    site.setProviders({
      providers: [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'], feed }],
    });
    return site.run(['run', 'SUNW']);
  };

  it('is the newest file that matches, fetched only if it is new', async () => {
    put('feed a.ndjson', 2, 1);
    put('feed b.ndjson', 3, 2);
    put('other.ndjson', 4, 3);
    expect(await run('feed*.ndjson')).toMatchObject({ exit: 0 });
    expect(await site.offers()).toHaveLength(3);
    expect((await run('feed*.ndjson')).out).toContain('the source has nothing new');
    put("feed 'c' [x].ndjson", 5, 4);
    expect(await run('feed*.ndjson')).toMatchObject({ exit: 0 });
    expect(await site.offers()).toHaveLength(5);
    const [last] = await attemptsOf(site.database(), 'SUNW');
    expect([last?.source, last?.detail.modifiedAt]).toEqual([
      `127.0.0.1:${port}`,
      new Date(2026, 9, 4).getTime(),
    ]);
  });

  it('is refused from another host, with another key, and without a file', async () => {
    const reasons = [
      await run('feed*.ndjson', { hostKey: keyOf('other') }),
      await run('feed*.ndjson', { keyFile: join(folder, 'other') }),
      await run('none*.ndjson'),
    ].map(({ exit, out }) => `${exit} ${out}`);
    expect(reasons).toEqual([
      expect.stringMatching(/^1 SFTP from 127\.0\.0\.1 failed: Host key verification failed/),
      expect.stringMatching(/^1 SFTP from 127\.0\.0\.1 failed: .*Permission denied/),
      expect.stringMatching(/^1 SFTP from 127\.0\.0\.1 failed: .*none\*\.ndjson/),
    ]);
  });
});

it('needs a user, a key and the key of the host', async () => {
  const feed = { source: 'sftp://files.example/all.csv', credentials: { user: 'us' } };
  const site = await makeFeedSite();
  const providers = [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'], feed }];
  expect(() => site.setProviders({ providers })).toThrow('SFTP needs user, keyFile and hostKey');
  await site.close();
});

async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  await once(holder, 'close');
  return port;
}
