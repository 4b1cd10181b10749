import type { LinkKeys } from './alert-keys.ts';

export type LinkPurpose = 'confirm' | 'stop' | 'manage';

/** A link that one person can use for one purpose, without a login. */
export interface SignedLink {
  purpose: LinkPurpose;
  contact: number;
  /** The watch that the link's message is about, or null. */
  watch: number | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Days for which a link works. Stop links last long, because people find old messages. */
export const LINK_DAYS: Readonly<Record<LinkPurpose, number>> = { confirm: 7, stop: 400, manage: 30 };

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  confirm: '/my-alerts/confirm',
  stop: '/my-alerts/stop',
  manage: '/my-alerts',
};

const LETTERS: Readonly<Record<LinkPurpose, string>> = { confirm: 'c', stop: 's', manage: 'm' };
const PURPOSES: readonly LinkPurpose[] = ['confirm', 'stop', 'manage'];

/**
 * The token of a link: purpose, person, watch, expiry in seconds and an HMAC. The HMAC also covers `since`,
 * when the person was added, because a restored store may give an ID to another person.
 */
export function signToken(keys: LinkKeys, link: SignedLink, since: number): string {
  const { purpose, contact, watch, expiresAt } = link;
  const seconds = Math.floor(expiresAt / 1_000);
  const claims = [LETTERS[purpose], ...[contact, watch ?? 0, seconds].map((number) => number.toString(36))];
  const signed = claims.join('.');
  return `${signed}.${keys.sign(boundTo(since, signed))}`;
}

function boundTo(since: number, signed: string): string {
  return `${signed}.${since}`;
}

/** Reads a token; null if it was altered or has expired. Stop links survive a key rotation. `sinceOf` returns when a person was added. */
export async function readToken(
  keys: LinkKeys,
  token: string,
  now: number,
  sinceOf: (contact: number) => Promise<number | null>,
): Promise<SignedLink | null> {
  const read =
    /^((?<letter>[csm])\.(?<contact>[\da-z]{1,11})\.(?<watch>[\da-z]{1,11})\.(?<seconds>[\da-z]{1,8}))\.(?<signature>[\w-]+)$/.exec(
      token,
    );
  const { letter, contact = '', watch = '', seconds = '', signature = '' } = read?.groups ?? {};
  const purpose = PURPOSES.find((one) => LETTERS[one] === letter);
  if (purpose === undefined) return null;
  const [contactId = 0, watchId = 0, expiry = 0] = [contact, watch, seconds].map((part) =>
    Number.parseInt(part, 36),
  );
  const expiresAt = expiry * 1_000;
  const since = await sinceOf(contactId);
  if (since === null || !keys.isSigned(boundTo(since, read?.[1] ?? ''), signature, purpose === 'stop'))
    return null;
  if (expiresAt <= now) return null;
  return { purpose, contact: contactId, watch: watchId === 0 ? null : watchId, expiresAt };
}

/** The URL of a link in a message written at `from` to a person added at `since`. */
export function linkAddress(
  keys: LinkKeys,
  siteUrl: string,
  { purpose, contact, watch }: Omit<SignedLink, 'expiresAt'>,
  { from, since }: { from: number; since: number },
): string {
  const expiresAt = from + LINK_DAYS[purpose] * A_DAY_MS;
  const token = signToken(keys, { purpose, contact, watch, expiresAt }, since);
  return `${siteUrl}${PATHS[purpose]}?token=${token}`;
}
