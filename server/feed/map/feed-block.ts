import { Cron } from 'croner';
import * as v from 'valibot';
import { FEED_FORMATS } from '../formats/feed-format.ts';

const HOUR_MS = 60 * 60 * 1_000;

/** Hours after which packages go off sale unless the provider's feed is seen again. */
const DEFAULT_MAX_AGE = 7 * 24;

const text = v.pipe(v.string(), v.nonEmpty('text'));

const percent = v.pipe(v.number(), v.minValue(0, '0 to 100'), v.maxValue(1_000, 'a percentage'));

const sourceObject = v.strictObject({
  url: text,
  /** Headers to send with http requests. */
  headers: v.optional(v.record(v.string(), v.string())),
  /** The endpoint and region of an S3-compatible service. */
  endpoint: v.optional(text),
  region: v.optional(text),
});

export type FeedSource = v.InferOutput<typeof sourceObject>;

const source = v.pipe(
  v.union([
    v.pipe(
      text,
      v.transform((url): FeedSource => ({ url })),
    ),
    sourceObject,
  ]),
  v.check(({ url }) => sourceKind(url) !== null, 'a URL (https, s3 or sftp), or a path of files'),
);

const credentials = v.strictObject({
  user: v.optional(text),
  passwordFile: v.optional(text),
  tokenFile: v.optional(text),
  /** For SFTP: the private key, and the server's key such as `ssh-ed25519 AAAA…`. */
  keyFile: v.optional(text),
  hostKey: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:ssh|ecdsa|sk)-\S+ [A-Za-z\d+/=]+$/, 'a type and a key, as ssh-keyscan prints them'),
    ),
  ),
  /** The header for the token. By default, the token is sent as a bearer token. */
  header: v.optional(text),
});

/** A user name that is safe in an option of `sftp`. */
const USER = /^[\w.@+][\w.@+-]*$/;

const schedule = v.pipe(v.string(), v.check(isSchedule, 'five fields of cron such as 15 */6 * * *'));

export const feedBlock = v.pipe(
  v.strictObject({
    source,
    format: v.optional(v.picklist(FEED_FORMATS, FEED_FORMATS.join(' or '))),
    mapping: v.optional(text),
    schedule: v.optional(schedule),
    /** The source of the changes since the last full feed or the last changes, by sequence number. */
    changes: v.optional(v.strictObject({ source, schedule: v.optional(schedule) })),
    timeZone: v.optional(
      v.pipe(v.string(), v.check(isTimeZone, 'an IANA time zone such as Europe/London')),
      'Europe/London',
    ),
    maxAge: v.optional(
      v.pipe(v.number(), v.minValue(1, 'a number of hours'), v.maxValue(20_000, 'a number of hours')),
      DEFAULT_MAX_AGE,
    ),
    guardrails: v.optional(
      v.strictObject({
        fewerPackages: v.optional(percent),
        medianMove: v.optional(percent),
        rowsRefused: v.optional(percent),
        pricesMoved: v.optional(percent),
        priceMove: v.optional(percent),
      }),
      {},
    ),
    credentials: v.optional(credentials, {}),
  }),
  v.check(
    ({ source, changes, credentials: { user, keyFile, hostKey } }) =>
      [source, changes?.source].every((one) => one === undefined || sourceKind(one.url) !== 'sftp') ||
      (USER.test(user ?? '') && keyFile !== undefined && hostKey !== undefined),
    'complete: SFTP needs user, keyFile and hostKey in credentials',
  ),
);

/** How a provider's feed is fetched, read and judged: `feed` in providers.json. */
export type FeedBlock = v.InferOutput<typeof feedBlock>;

type SourceKind = 'http' | 's3' | 'sftp' | 'folder';

/** The kind of source that a URL or path is. Null: not supported, such as http to another machine. */
export function sourceKind(url: string): SourceKind | null {
  const [, scheme] = /^([a-z][a-z\d+.-]+):/i.exec(url) ?? [];
  if (scheme === undefined) return 'folder';
  const parsed = URL.parse(url.replace('{token}', 'x'));
  if (parsed === null) return null;
  if (parsed.username !== '' || parsed.password !== '') return null;
  if (parsed.protocol === 'https:') return 'http';
  if (parsed.protocol === 'http:') {
    return ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname) ? 'http' : null;
  }
  if (parsed.protocol === 'sftp:') return parsed.hostname === '' ? null : 'sftp';
  return parsed.protocol === 's3:' ? 's3' : null;
}

/** How long a provider's packages are shown after its feed was last seen. */
export function maxAgeMs(feed: FeedBlock | null): number {
  return (feed?.maxAge ?? DEFAULT_MAX_AGE) * HOUR_MS;
}

function isSchedule(pattern: string): boolean {
  try {
    return new Cron(pattern, { paused: true, mode: '5-part' }).nextRun() !== null;
  } catch {
    return false;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return /^[A-Z]/i.test(name);
  } catch {
    return false;
  }
}
