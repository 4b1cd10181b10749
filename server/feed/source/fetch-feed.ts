import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '../../lib/error-message.ts';
import { diskFaultOf } from '../../storage/disk-fault.ts';
import { parseFeedLink } from '../formats/feed-link.ts';
import { FeedFault } from '../formats/raw-row.ts';

const MAX_REDIRECTS = 5;
/** Bytes as sent, before decompression. */
export const MAX_BYTES = 16 * 1024 ** 3;
export const MAX_MS = 60 * 60_000;
const SILENT_MS = 60_000;
/** The pauses before a lost download is resumed. */
const RESUME_AFTER_MS = [1_000, 5_000, 20_000];

/** What a server says about a file's version. */
export interface HttpVersion {
  etag: string | null;
  modified: string | null;
}

export interface FetchSetting {
  /** The allowed hosts, also for redirects. */
  hosts: readonly string[];
  /** What messages call the list of hosts; FEED_HOSTS if omitted. */
  hostsFrom?: string;
  onRead: (bytes: number, of: number | null) => Promise<void>;
  /**
   * Headers for the operator's own source, made for each request. Its host may have any port, and may be this
   * machine by http.
   */
  headers?: () => Promise<Readonly<Record<string, string>>>;
  /** The version that need not be fetched again. */
  cachedVersion?: HttpVersion | null;
  /** Tests replace these. */
  ask?: (url: URL, options: RequestOptions) => ClientRequest;
  pause?: ((ms: number) => Promise<unknown>) | undefined;
  mostBytes?: number;
  mostMs?: number;
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

/** What fetching needs for every kind of source. */
export interface BlockFetch extends Pick<FetchSetting, 'hosts' | 'onRead' | 'pause'> {
  /** Relative paths in the block start from it. */
  folder: string;
  /** Where to write the feed. */
  path: string;
  /** The version that need not be fetched again; null: fetch in any case. */
  cachedVersion: string | null;
}

/** `version` is opaque. Null: the source states none. */
export type Fetched =
  | { kind: 'fetched'; version: string | null; modifiedAt: number | null }
  | { kind: 'unchanged' };

/**
 * Fetches a feed into a file, and resumes a lost download. Contacts only listed hosts (and the source's, if it has
 * `headers`), also for redirects. Messages quote only the host, because URLs may contain keys.
 */
export async function fetchFeed(
  source: string,
  path: string,
  setting: FetchSetting,
): Promise<HttpVersion | 'unchanged'> {
  const { mostMs = MAX_MS, pause = setTimeout } = setting;
  const signal = AbortSignal.timeout(mostMs);
  let partial: Partial | null = null;
  for (let tries = 0; ; tries += 1) {
    const response = await followRedirects(source, setting, partial, signal);
    if (response === 'unchanged') return 'unchanged';
    const { etag = null, 'last-modified': modified = null } = response.headers;
    const version = { etag, modified };
    const from = response.statusCode === 206 ? (partial?.bytes ?? 0) : 0;
    const fetched = await download(response, path, from, setting, signal);
    if (fetched.isWhole) return version;
    const after = RESUME_AFTER_MS[tries];
    if (after === undefined) throw fetched.fault;
    partial = fetched.bytes === 0 ? null : { bytes: fetched.bytes, version };
    await pause(after);
  }
}

interface Partial {
  bytes: number;
  version: HttpVersion;
}

/** Writes a response to a file, after the bytes that are already there. Does not throw if the connection is lost. */
async function download(
  response: IncomingMessage,
  path: string,
  from: number,
  { mostBytes = MAX_BYTES, mostMs = MAX_MS, onRead }: FetchSetting,
  signal: AbortSignal,
): Promise<{ isWhole: boolean; bytes: number; fault: FeedFault }> {
  const length = Number(response.headers['content-length'] ?? Number.NaN);
  const total = Number.isFinite(length) ? from + length : null;
  let bytes = from;
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > mostBytes)
        done(new FeedFault(`The feed is larger than ${mostBytes} bytes and was not fetched.`));
      else onRead(bytes, total).then(() => done(null, chunk), done);
    },
  });
  const lost = (cause?: unknown) => {
    const of = total === null ? '' : ` of ${total}`;
    return new FeedFault(`The connection was lost after ${bytes}${of} bytes of the feed: try again.`, {
      cause,
    });
  };
  const file = createWriteStream(path, { mode: 0o600, flags: from === 0 ? 'w' : 'a' });
  try {
    await pipeline(response, count, file, { signal });
  } catch (error) {
    if (error instanceof FeedFault || diskFaultOf(error) !== null) throw error;
    if (signal.aborted)
      throw new FeedFault(`Fetching the feed took longer than ${mostMs / 1000} seconds.`, { cause: error });
    // The next request asks again for bytes that were received but not written.
    if (!file.closed) await once(file, 'close');
    return { isWhole: false, bytes: statSync(path).size, fault: lost(error) };
  }
  return { isWhole: total === null || bytes === total, bytes, fault: lost() };
}

async function followRedirects(
  source: string,
  setting: FetchSetting,
  partial: Partial | null,
  signal: AbortSignal,
): Promise<IncomingMessage | 'unchanged'> {
  const own = setting.headers === undefined ? null : (URL.parse(source)?.origin ?? null);
  let at = source;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const isOwn = own !== null && URL.parse(at)?.origin === own;
    const url = isOwn ? new URL(at) : listedUrl(at, setting, redirects);
    const response = await ask(url, setting, { isOwn, partial, signal });
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return response;
    if (statusCode === 206 && startsAt(response, partial)) return response;
    response.destroy();
    if (statusCode === 304 && partial === null) return 'unchanged';
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) {
      throw new StatusFault(url.hostname, statusCode);
    }
    at = URL.parse(headers.location, url.href)?.href ?? '';
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

function startsAt({ headers }: IncomingMessage, partial: Partial | null): boolean {
  return partial !== null && headers['content-range']?.startsWith(`bytes ${partial.bytes}-`) === true;
}

async function ask(
  url: URL,
  setting: FetchSetting,
  { isOwn, partial, signal }: { isOwn: boolean; partial: Partial | null; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { ask: send = sendRequest, headers, cachedVersion = null } = setting;
  try {
    const own = isOwn && headers !== undefined ? await headers() : {};
    return await new Promise((settle, fail) => {
      const outgoing = send(url, {
        signal,
        // The file may be compressed, but the transfer must not be.
        headers: {
          'accept-encoding': 'identity',
          'user-agent': 'Skylark',
          ...own,
          ...(partial === null ? conditionsOf(cachedVersion) : rangeOf(partial)),
        },
        timeout: SILENT_MS,
      });
      outgoing.once('response', settle);
      outgoing.once('timeout', () => outgoing.destroy(new Error('no data for a minute')));
      outgoing.once('error', fail);
      outgoing.end();
    });
  } catch (error) {
    if (error instanceof FeedFault) throw error;
    throw new FeedFault(`${url.hostname} cannot be reached: ${errorMessage(error)}.`, { cause: error });
  }
}

function sendRequest(url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === 'http:' ? plainRequest(url, options) : request(url, options);
}

function conditionsOf(cachedVersion: HttpVersion | null): Record<string, string> {
  return {
    ...(cachedVersion?.etag ? { 'if-none-match': cachedVersion.etag } : {}),
    ...(cachedVersion?.modified ? { 'if-modified-since': cachedVersion.modified } : {}),
  };
}

/** The headers for the rest of a download. Without a strong ETag or a date, the download begins again. */
function rangeOf({ bytes, version }: Partial): Record<string, string> {
  const isStrong = version.etag !== null && !version.etag.startsWith('W/');
  const validator = isStrong ? version.etag : version.modified;
  return validator === null ? {} : { range: `bytes=${bytes}-`, 'if-range': validator };
}
