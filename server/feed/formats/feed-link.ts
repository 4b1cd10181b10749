/** A link with a plain host name: no user, port, escape or trailing dot. */
const PLAIN = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[/?#]|$)/i;

/** In characters after percent-encoding. */
export const LONGEST_LINK = 2_000;

/** A plain host name, followed by characters that browsers do not encode. */
const COMMON = /^https:\/\/((?:[a-z0-9-]+\.)+[a-z]+)\/[a-zA-Z0-9_~&=+,;!$()*:@/?.%-]*$/;

/** What browsers rewrite nevertheless: Punycode, hyphens at the edge of a label, and dot segments of a path. */
const REWRITTEN = /xn--|\/\.|%2e|-\.|\.-|\/-/i;

const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

export type ParsedLink = { kind: 'link'; href: string } | { kind: 'refused'; reason: string };

/**
 * Parses an https link to one of the hosts, as browsers read it. `hosts` are full names, or `*.name` for every
 * subdomain. A link that browsers would correct before following is refused.
 */
export function parseFeedLink(text: string, hosts: readonly string[]): ParsedLink {
  const refused = (reason: string): ParsedLink => ({ kind: 'refused', reason });
  const [, common] = COMMON.exec(text) ?? [];
  if (common !== undefined && text.length <= LONGEST_LINK && !REWRITTEN.test(text)) {
    // The fast path of most links: parsing them would change nothing.
    if (hosts.some((host) => isHostUnder(common, host))) return { kind: 'link', href: text };
  }
  const [, written = ''] = PLAIN.exec(text) ?? [];
  if (/[\s\\\p{Cc}\p{Cf}\uFFFD]/u.test(text))
    return refused('has spaces, backslashes or invisible characters');
  const url = URL.parse(text);
  if (url !== null && (url.username !== '' || url.password !== '' || url.port !== '')) {
    return refused('has a user name or a port');
  }
  if (written === '' || url?.protocol !== 'https:' || url.hostname !== written.toLowerCase()) {
    return refused('is not an https address with a plain host name');
  }
  if (url.href.length > LONGEST_LINK) return refused(`is longer than ${LONGEST_LINK} characters`);
  if (!hosts.some((host) => isHostUnder(url.hostname, host))) {
    return refused("leads to a host that is not in the provider's linkHosts");
  }
  return { kind: 'link', href: url.href };
}

/** Whether `host` is valid on a list of hosts: a full name in lower case, or `*.` and a name; no IP address. */
export function isListableHost(host: string): boolean {
  return HOST.test(host) && (!host.startsWith('*.') || host.split('.').length > 2);
}

/** Whether `hostname` is the listed host, or its subdomain if `listed` begins with `*.`. */
export function isHostUnder(hostname: string, listed: string): boolean {
  return listed.startsWith('*.')
    ? hostname.endsWith(listed.slice(1)) && hostname.length > listed.length - 1
    : hostname === listed;
}
