import { isIPv6 } from 'node:net';
import { inRanges } from '../../lib/ip-address.ts';

/** IPv4 that is not public: this machine, private networks and special uses. */
const isSpecialIpv4 = inRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);

const isGlobalIpv6 = inRanges(['2000::/3']);

/** Ranges within the global one that carry an IPv4 address or are for documentation. */
const isEmbeddingIpv6 = inRanges(['2001::/23', '2001:db8::/32', '2002::/16']);

/** Whether an IP address is public, so that a feed's host name cannot lead into a private network. */
export function isPublicAddress(address: string): boolean {
  return isIPv6(address) ? isGlobalIpv6(address) && !isEmbeddingIpv6(address) : !isSpecialIpv4(address);
}
