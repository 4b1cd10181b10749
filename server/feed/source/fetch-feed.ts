import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../../lib/error-message.ts';
import { parseFeedLink } from '../formats/feed-link.ts';
import { FeedFault } from '../formats/raw-row.ts';

const MAX_REDIRECTS = 5;
/** Bytes as sent, before decompression. */
export const MAX_BYTES = 16 * 1024 ** 3;
export const MAX_MS = 60 * 60_000;

/** `version` is opaque. Null: the source states none. */
export type Fetched =
  | { kind: 'fetched'; version: string | null; modifiedAt: number | null }
  | { kind: 'unchanged' };

export interface FetchSetting {
  /** The allowed hosts, also for redirects. */
  hosts: readonly string[];
  /** What messages call the list of hosts; FEED_HOSTS if omitted. */
  hostsFrom?: string;
  onRead: (bytes: number) => Promise<void>;
  /**
   * Headers for the operator's own source, made for each request. Its host may have any port, and may be this
   * machine by http.
   */
  headers?: () => Promise<Readonly<Record<string, string>>>;
  /** The version that need not be fetched again; null: fetch in any case. */
  cachedVersion?: string | null;
  /** Tests replace it. */
  fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  mostBytes?: number;
  mostMs?: number;
}

/** What fetching needs for every kind of source. */
export interface BlockFetch extends Pick<FetchSetting, 'hosts' | 'onRead'> {
  /** Relative paths in the block start from it. */
  folder: string;
  /** Where to write the feed. */
  path: string;
  /** The version that need not be fetched again; null: fetch in any case. */
  cachedVersion: string | null;
}

/** A response with a status that means the file cannot be fetched. */
export class StatusFault extends FeedFault {
  readonly status: number;

  constructor(host: string, status: number) {
    super(
      `${host} responded with status ${status}: check the URL, and its key or credentials if it has them.`,
    );
    this.status = status;
  }
}

/**
 * Fetches a feed into a file. Contacts only listed hosts (and the source's, if it has `headers`), also for redirects.
 * Messages quote only the host, because URLs may contain keys.
 */
export async function fetchFeed(source: string, path: string, setting: FetchSetting): Promise<Fetched> {
  const { mostBytes = MAX_BYTES, mostMs = MAX_MS, onRead } = setting;
  const signal = AbortSignal.timeout(mostMs);
  const response = await followRedirects(source, setting, signal);
  if (response.status === 304) return { kind: 'unchanged' };
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(length) ? length : null;
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > mostBytes)
        throw new FeedFault(`The feed is larger than ${mostBytes} bytes and was not fetched.`);
      await onRead(bytes);
      yield chunk;
    }
  }
  try {
    const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
    await pipeline(body, counted, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    if (signal.aborted)
      throw new FeedFault(`Fetching the feed took longer than ${mostMs / 1000} seconds.`, { cause: error });
    // `fetch` throws a TypeError for a lost connection.
    if (!(error instanceof TypeError)) throw error;
    const of = total === null ? '' : ` of ${total}`;
    throw new FeedFault(`The connection was lost after ${bytes}${of} bytes of the feed: try again.`, {
      cause: error,
    });
  }
  const [etag, modified] = ['etag', 'last-modified'].map((name) => response.headers.get(name));
  const modifiedAt = Date.parse(modified ?? '');
  return {
    kind: 'fetched',
    version: etag === null && modified === null ? null : JSON.stringify({ etag, modified }),
    modifiedAt: Number.isNaN(modifiedAt) ? null : modifiedAt,
  };
}

async function followRedirects(
  source: string,
  setting: FetchSetting,
  signal: AbortSignal,
): Promise<Response> {
  const own = setting.headers === undefined ? null : (URL.parse(source)?.origin ?? null);
  let at = source;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const isOwn = own !== null && URL.parse(at)?.origin === own;
    const url = isOwn ? new URL(at) : listedUrl(at, setting, redirects);
    const response = await request(url, setting, isOwn, signal);
    if (response.status === 200 || response.status === 304) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null)
      throw new StatusFault(url.hostname, response.status);
    at = URL.parse(location, url.href)?.href ?? '';
  }
  throw new FeedFault(`The URL redirects more than ${MAX_REDIRECTS} times.`);
}

function listedUrl(at: string, { hosts, hostsFrom = 'FEED_HOSTS' }: FetchSetting, redirects: number): URL {
  const link = parseFeedLink(at, hosts);
  if (link.kind === 'link') return new URL(link.href);
  const which = redirects === 0 ? 'The URL' : 'A redirect of the URL';
  const host = URL.parse(at)?.hostname ?? '';
  throw new FeedFault(
    `${which}${host === '' ? '' : ` (${host})`} is not allowed by ${hostsFrom}. It must be https, with a host name on that list, and without a user name, a port, spaces, backslashes or dot segments (/../).`,
  );
}

async function request(
  url: URL,
  { fetch: send = fetch, headers, cachedVersion = null }: FetchSetting,
  isOwn: boolean,
  signal: AbortSignal,
): Promise<Response> {
  const own = isOwn && headers !== undefined ? await headers() : {};
  const { etag, modified } = JSON.parse(cachedVersion ?? '{}') as Record<string, string | null>;
  try {
    return await send(url, {
      signal,
      redirect: 'manual',
      headers: {
        // The file may be compressed, but the transfer must not be.
        'accept-encoding': 'identity',
        'user-agent': 'Skylark',
        ...own,
        ...(etag && { 'if-none-match': etag }),
        ...(modified && { 'if-modified-since': modified }),
      },
    });
  } catch (error) {
    throw new FeedFault(`${url.hostname} cannot be reached: ${errorMessage(error)}.`, { cause: error });
  }
}
