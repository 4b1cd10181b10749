import { type ExecFileException, execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { FeedFault } from '../formats/raw-row.ts';
import type { FeedBlock } from '../map/feed-block.ts';
import { type BlockFetch, type Fetched, MAX_BYTES, MAX_MS } from './fetch-feed.ts';
import { readOwnFile } from './read-own-file.ts';

const NOT_INSTALLED = 'SFTP needs the program sftp: install the package openssh-client';

/** Listings give minutes only, so a file newer than this may still change while its listing stays the same. */
const FRESH_MS = 120_000;

const WATCH_EVERY_MS = 1_000;

/** Bytes. */
const MAX_LISTING = 64 * 1024 * 1024;

const runFile = promisify(execFile);

/** Ignores the user's own keys and known hosts, and never prompts. */
const OPTIONS = [
  'BatchMode=yes',
  'ConnectTimeout=30',
  'GlobalKnownHostsFile=/dev/null',
  'IdentitiesOnly=yes',
  'IdentityAgent=none',
  'PreferredAuthentications=publickey',
  'ServerAliveCountMax=3',
  'ServerAliveInterval=20',
  'StrictHostKeyChecking=yes',
];

/** A file's line in the listing of `ls -ln`, with its size and path. */
const LISTED = /^-\S+\s+\S+\s+\S+\s+\S+\s+(\d+)\s+\S+\s+\S+\s+\S+\s(.+)$/;

/** Why feeds cannot be fetched by SFTP on this machine; null: they can. */
export function sftpTrouble(): string | null {
  return spawnSync('sftp', ['-h']).error === undefined ? null : NOT_INSTALLED;
}

/** Fetches the newest file that matches the URL's path with OpenSSH's `sftp`: `ssh2` would compile a module at install. */
export async function fetchBySftp(
  { source, credentials: { user = '', keyFile = '', hostKey = '' } }: FeedBlock,
  { folder, path, cachedVersion, onRead }: BlockFetch,
): Promise<Fetched> {
  const { hostname, port, pathname } = new URL(source.url);
  const own = mkdtempSync(join(tmpdir(), 'skylark-sftp-'));
  const [key, hosts] = [join(own, 'key'), join(own, 'known_hosts')];
  const options = [...OPTIONS, `UserKnownHostsFile=${hosts}`, `User=${user}`].flatMap((one) => ['-o', one]);
  const words = ['-F', '/dev/null', '-i', key, '-P', port || '22', '-b', '-', ...options, '--', hostname];
  const run = (commands: string, onWatch: () => Promise<void>) => runSftp(words, hostname, commands, onWatch);
  try {
    // A copy, because OpenSSH refuses keys that others may read, and mounted secrets are often readable.
    const secret = readOwnFile('key', resolve(folder, keyFile)).trim();
    writeFileSync(key, `${secret}\n`, { mode: 0o600 });
    writeFileSync(hosts, `[${hostname}]:${port || '22'} ${hostKey}\n${hostname} ${hostKey}\n`, {
      mode: 0o600,
    });
    const listing = await run(`ls -lnt ${quoted(decodeURIComponent(pathname))}`, () => onRead(0));
    const newest = listing.split('\n').find((line) => LISTED.test(line));
    if (newest === undefined) throw new FeedFault(`${hostname} has no file for this source.`);
    if (newest === cachedVersion) return { kind: 'unchanged' };
    const [, size = '', name = ''] = LISTED.exec(newest) ?? [];
    if (Number(size) > MAX_BYTES)
      throw new FeedFault(`The feed is larger than ${MAX_BYTES} bytes and was not fetched.`);
    const bytes = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    await run(`get -p ${quoted(name, true)} ${quoted(path, true)}`, () => onRead(bytes()));
    const { mtimeMs } = statSync(path);
    await onRead(bytes());
    return {
      kind: 'fetched',
      version: Date.now() - mtimeMs < FRESH_MS ? null : newest,
      modifiedAt: Math.floor(mtimeMs),
    };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Quotes a path for a batch of `sftp`. In a pattern, `*` stands for any text. */
function quoted(path: string, isLiteral = false): string {
  if (/\p{Cc}/u.test(path)) throw new FeedFault('The path of the source has control characters.');
  return path.replace(isLiteral ? /[\s"'\\*?[\]#]/g : /[\s"'\\?[\]#]/g, '\\$&');
}

/** Runs a batch of commands, and returns what it prints. `onWatch` is called every second. */
async function runSftp(
  words: readonly string[],
  host: string,
  commands: string,
  onWatch: () => Promise<void>,
): Promise<string> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const running = runFile('sftp', words, { env, timeout: MAX_MS, maxBuffer: MAX_LISTING });
  const { child } = running;
  child.stdin?.on('error', () => {});
  child.stdin?.end(`${commands}\n`);
  let fault: unknown = null;
  const timer = setInterval(() => {
    onWatch().catch((error: unknown) => {
      fault = error;
      child.kill();
    });
  }, WATCH_EVERY_MS);
  try {
    return (await running).stdout;
  } catch (error) {
    throw fault ?? new FeedFault(`${failureOf(error as Failure, host)}.`);
  } finally {
    clearInterval(timer);
  }
}

type Failure = ExecFileException & { stderr?: string };

function failureOf({ code, killed, stderr = '' }: Failure, host: string): string {
  if (code === 'ENOENT') return NOT_INSTALLED;
  if (killed === true) return `SFTP from ${host} took longer than ${MAX_MS / 60_000} minutes`;
  const lines = stderr.trim().split('\n');
  const reason = lines.findLast((line) => !line.startsWith('Connection closed')) || `exit code ${code}`;
  return `SFTP from ${host} failed: ${reason.trim().replace(/\.$/, '')}`;
}
