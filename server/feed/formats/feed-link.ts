/** A link with a plain host name: no user, port, escape or trailing dot. */
const PLAIN = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[/?#]|$)/i;

/** In characters after percent-encoding. */
export const MAX_LINK = 2_000;

const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Characters that browsers remove from URLs or replace in them, and invisible characters. */
const NEVER_SENT = /[\s\\\p{Cc}\p{Cf}\p{Cs}\uFFFD]/u;

const WITH_USER_OR_PORT = /^[a-z]+:\/\/[^/?#[\]]*[@:]/i;

/** Browsers remove a dot segment and the segment before it, even if the dots are percent-encoded. */
const DOT_SEGMENT = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

export type ParsedLink =
  | { kind: 'link'; href: string; hostname: string }
  | { kind: 'refused'; reason: string };

/**
 * Parses an https link to one of the hosts: full names, or `*.name` for subdomains. Rejects links whose
 * meaning browsers would change.
 */
export function parseFeedLink(text: string, hosts: readonly string[]): ParsedLink {
  const link = parsePlainLink(text);
  if (link.kind === 'refused' || hosts.some((host) => isHostUnder(link.hostname, host))) return link;
  return refused("leads to a host that is not in the provider's linkHosts");
}

/** An http link to one of the hosts, as https; any other text as it is. */
export function upgradedLink(text: string, hosts: readonly string[]): string {
  if (hosts.length === 0 || !/^http:\/\//i.test(text)) return text;
  const host = URL.parse(text)?.hostname ?? '';
  return hosts.some((one) => isHostUnder(host, one)) ? text.replace(/^http/i, 'https') : text;
}

/**
 * Parses an https link to any host. Accepts what browsers rewrite without changing the meaning: upper case in scheme
 * and host, a missing slash after the host, characters that need percent-encoding.
 */
export function parsePlainLink(text: string): ParsedLink {
  if (NEVER_SENT.test(text)) return refused('has spaces, backslashes or invisible characters');
  if (WITH_USER_OR_PORT.test(text)) return refused('has a user name or a port');
  const [, written = ''] = PLAIN.exec(text) ?? [];
  const url = URL.parse(text);
  if (written === '' || url?.protocol !== 'https:' || url.hostname !== written.toLowerCase()) {
    return refused('is not an https URL with a plain host name');
  }
  if (DOT_SEGMENT.test(text)) return refused('has a dot segment (/./ or /../) in its path');
  if (url.href.length > MAX_LINK) return refused(`is longer than ${MAX_LINK} characters`);
  return { kind: 'link', href: url.href, hostname: url.hostname };
}

function refused(reason: string): ParsedLink {
  return { kind: 'refused', reason };
}

/** Whether `host` is valid on a list: a full name in lower case, or `*.` and a name; no IP address. */
export function isListableHost(host: string): boolean {
  return HOST.test(host);
}

/** Whether `hostname` is the listed host, or its subdomain if `listed` begins with `*.`. */
function isHostUnder(hostname: string, listed: string): boolean {
  return listed.startsWith('*.') ? hostname.endsWith(listed.slice(1)) : hostname === listed;
}
