import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { matchesGlob, posix } from 'node:path';
import { Transform } from 'node:stream';
import SftpClient from 'ssh2-sftp-client';
import { errorMessage } from '../../lib/error-message.ts';
import { diskFaultOf } from '../../storage/disk-fault.ts';
import { FeedFault } from '../formats/raw-row.ts';
import type { FeedSource } from '../map/feed-block.ts';
import type { BlockFetch, Fetched } from './fetched.ts';

const SSH_PORT = 22;
const CONNECT_MS = 30_000;

interface SftpLogin {
  user?: string | undefined;
  password?: string | undefined;
  privateKey?: string | undefined;
}

/** Fetches the newest file that matches the URL's path. The server must have the key that the block names. */
export async function fetchBySftp(
  { url, hostKey }: FeedSource,
  { user, password, privateKey }: SftpLogin,
  { path, known, onRead }: BlockFetch,
): Promise<Fetched> {
  const { hostname, port, pathname } = new URL(url);
  const client = new SftpClient();
  let seenKey = '';
  try {
    await client.connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? SSH_PORT : Number(port),
      ...(user === undefined ? {} : { username: user }),
      ...(password === undefined ? {} : { password }),
      ...(privateKey === undefined ? {} : { privateKey }),
      readyTimeout: CONNECT_MS,
      hostVerifier(key: Buffer) {
        seenKey = fingerprintOf(key);
        return seenKey === hostKey?.replace(/=$/, '');
      },
    });
    const newest = await newestFile(client, decodeURIComponent(pathname));
    const version = `${newest.name} ${newest.modifyTime} ${newest.size}`;
    if (version === known) return { kind: 'unchanged' };
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        bytes += chunk.length;
        onRead(bytes, newest.size);
        done(null, chunk);
      },
    });
    const file = createWriteStream(path, { mode: 0o600 });
    const written = new Promise<void>((settle, fail) => file.once('close', settle).once('error', fail));
    count.pipe(file);
    await Promise.all([client.get(newest.name, count), written]);
    if (bytes !== newest.size)
      throw new FeedFault(`The connection was lost after ${bytes} of ${newest.size} bytes of the feed.`);
    return { kind: 'fetched', version, modifiedAt: null };
  } catch (error) {
    if (error instanceof FeedFault || diskFaultOf(error) !== null) throw error;
    throw new FeedFault(faultOf(error, hostname, seenKey, hostKey), { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}

async function newestFile(client: SftpClient, pattern: string) {
  const folder = posix.dirname(pattern);
  const name = posix.basename(pattern);
  const files = await client.list(folder, (file) => file.type === '-' && matchesGlob(file.name, name));
  const [newest] = files.toSorted(
    (one, other) => other.modifyTime - one.modifyTime || other.name.localeCompare(one.name),
  );
  if (newest === undefined) throw new FeedFault(`The server has no file ${pattern}.`);
  return { ...newest, name: posix.join(folder, newest.name) };
}

/** As ssh prints it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=$/, '')}`;
}

function faultOf(error: unknown, host: string, seenKey: string, hostKey: string | undefined): string {
  if (seenKey !== '' && seenKey !== hostKey?.replace(/=$/, '')) {
    const expected = hostKey === undefined ? 'source.hostKey is not set' : 'it is not source.hostKey';
    return `The key of ${host} is ${seenKey}, and ${expected}: ask the provider for its key, and set it.`;
  }
  return `${host} cannot be read by SFTP: ${errorMessage(error)}.`;
}
