/** A link's host is written in plain letters and nothing else: no user, no port, no escape, no last dot. */
const PLAIN = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[/?#]|$)/i;

/** In characters, as it is kept: written with signs that a link encodes, it is longer than it was. */
export const LONGEST_LINK = 2_000;

/** A host by its name, and behind it signs that no browser encodes. */
const COMMON = /^https:\/\/((?:[a-z0-9-]+\.)+[a-z]+)\/[a-zA-Z0-9_~&=+,;!$()*:@/?.%-]*$/;

/** What browsers rewrite in it nevertheless: Punycode, hyphens at a label's end, and dots that climb a path. */
const REWRITTEN = /xn--|\/\.|%2e|-\.|\.-|\/-/i;

const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

export type ParsedLink = { kind: 'link'; href: string } | { kind: 'refused'; reason: string };

/**
 * A link that leads to one of the hosts by https and does nothing else, as browsers read it. `hosts` are whole
 * names, or `*.name` for every name under it. What a browser would mend before following is refused unmended.
 */
export function parseFeedLink(text: string, hosts: readonly string[]): ParsedLink {
  const refused = (reason: string): ParsedLink => ({ kind: 'refused', reason });
  const [, common] = COMMON.exec(text) ?? [];
  if (common !== undefined && text.length <= LONGEST_LINK && !REWRITTEN.test(text)) {
    // Most links are such, and are spared being taken apart and put together as they were.
    if (hosts.some((host) => isHostUnder(common, host))) return { kind: 'link', href: text };
  }
  const [, written = ''] = PLAIN.exec(text) ?? [];
  if (/[\s\\\p{Cc}\p{Cf}\uFFFD]/u.test(text))
    return refused('has blanks, backslashes or invisible characters');
  if (written === '') return refused('is no https address with a plain host name');
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.hostname !== written.toLowerCase()) {
    return refused('is no https address with a plain host name');
  }
  if (url.username !== '' || url.password !== '' || url.port !== '') {
    return refused('has a user name or a port');
  }
  if (url.href.length > LONGEST_LINK) return refused(`is longer than ${LONGEST_LINK} characters`);
  if (!hosts.some((host) => isHostUnder(url.hostname, host))) {
    return refused("leads to a host that is not on the provider's list (linkHosts)");
  }
  return { kind: 'link', href: url.href };
}

/** Whether `host` can stand on a list of hosts: a full name in small letters, or `*.` and one; no addresses. */
export function isListableHost(host: string): boolean {
  return HOST.test(host) && (!host.startsWith('*.') || host.split('.').length > 2);
}

/** Whether `hostname` is the listed host, or under it where the list says `*.`. */
export function isHostUnder(hostname: string, listed: string): boolean {
  return listed.startsWith('*.')
    ? hostname.endsWith(listed.slice(1)) && hostname.length > listed.length - 1
    : hostname === listed;
}
