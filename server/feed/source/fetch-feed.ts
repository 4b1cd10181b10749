import { lookup as resolve } from 'node:dns';
import { createWriteStream } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { diskFaultOf } from '../../storage/disk-fault.ts';
import { parseFeedLink } from '../formats/feed-link.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { isPublicAddress } from './public-address.ts';

const MAX_REDIRECTS = 5;
/** Bytes as sent, before decompression. */
const MAX_BYTES = 16 * 1024 ** 3;
const MAX_MS = 60 * 60_000;
const SILENT_MS = 60_000;

export interface FetchSetting {
  /** The allowed hosts, also for redirects: FEED_HOSTS. */
  hosts: readonly string[];
  onRead: (bytes: number, of: number | null) => void;
  /** For tests. */
  ask?: (url: URL, options: RequestOptions) => ClientRequest;
  isAllowedAddress?: (address: string) => boolean;
  mostBytes?: number;
  mostMs?: number;
}

/**
 * Fetches a feed by https into a file. Contacts only listed hosts with public IP addresses, also for
 * redirects. Messages quote only the host, because the URL may contain a key.
 */
export async function fetchFeed(source: string, path: string, setting: FetchSetting): Promise<void> {
  const { mostBytes = MAX_BYTES, mostMs = MAX_MS, onRead } = setting;
  const signal = AbortSignal.timeout(mostMs);
  const response = await followRedirects(source, setting, signal);
  const length = Number(response.headers['content-length'] ?? Number.NaN);
  const total = Number.isFinite(length) ? length : null;
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      onRead(bytes, total);
      done(
        bytes > mostBytes
          ? new FeedFault(`The feed is larger than ${mostBytes} bytes and was not fetched.`)
          : null,
        chunk,
      );
    },
  });
  try {
    await pipeline(response, count, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    if (error instanceof FeedFault || diskFaultOf(error) !== null) throw error;
    if (signal.aborted)
      throw new FeedFault(`Fetching the feed took longer than ${mostMs / 1000} seconds.`, { cause: error });
    throw new FeedFault(`The connection was lost after ${bytes} bytes of the feed: try again.`, {
      cause: error,
    });
  }
  if (total !== null && bytes !== total)
    throw new FeedFault(`The connection was lost after ${bytes} of ${total} bytes of the feed: try again.`);
}

async function followRedirects(
  source: string,
  setting: FetchSetting,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let at = source;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const link = parseFeedLink(at, setting.hosts);
    if (link.kind === 'refused') {
      const which = redirects === 0 ? 'The URL' : 'A redirect of the URL';
      const host = URL.parse(at)?.hostname ?? '';
      throw new FeedFault(
        `${which}${host === '' ? '' : ` (${host})`} is not allowed by FEED_HOSTS. It must be https, with a host name on that list, and without a user name, a port, spaces, backslashes or dot segments (/../).`,
      );
    }
    const url = new URL(link.href);
    const response = await ask(url, setting, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return response;
    response.destroy();
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) {
      throw new FeedFault(
        `${url.hostname} responded with status ${statusCode}: check the URL, and its key if it has one.`,
      );
    }
    at = URL.parse(headers.location, url.href)?.href ?? '';
  }
  throw new FeedFault(`The URL redirects more than ${MAX_REDIRECTS} times.`);
}

async function ask(url: URL, setting: FetchSetting, signal: AbortSignal): Promise<IncomingMessage> {
  const {
    ask: send = (to: URL, options: RequestOptions) => request(to, options),
    isAllowedAddress = isPublicAddress,
  } = setting;
  try {
    return await new Promise((settle, fail) => {
      const outgoing = send(url, {
        signal,
        lookup: checkedLookup(isAllowedAddress),
        // The file may be compressed; the transfer is not.
        headers: { 'accept-encoding': 'identity', 'user-agent': 'Skylark' },
        timeout: SILENT_MS,
      });
      outgoing.once('response', settle);
      outgoing.once('timeout', () => outgoing.destroy(new Error('no data for a minute')));
      outgoing.once('error', fail);
      outgoing.end();
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FeedFault(`${url.hostname} cannot be reached: ${why}.`, { cause: error });
  }
}

/** Resolves a host to allowed addresses only, so that the checked address is the one used. */
function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return done(new Error('it has no public IP address'), []);
      if (options.all === true) return done(null, allowed);
      return done(null, first.address, first.family);
    });
  };
}
