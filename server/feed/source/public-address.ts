import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
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

/** Resolves a host to allowed addresses only, so that the checked address is the one used. */
export function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
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
