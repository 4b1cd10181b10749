import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv6 range allocated for public use. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address is public, so that a feed's host name cannot lead into a private network. Excludes
 * all of IANA's special-purpose ranges, and IPv6 that carries an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}
