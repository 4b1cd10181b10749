import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The network that an address belongs to: an IPv4 address is one by itself, an IPv6 customer has a whole /64. The same
 * address gives the same text however it is written (upper case, IPv4-mapped, with a zone id). Other text is returned
 * unchanged.
 */
export function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toNormalizedString().split(':', 4).join(':');
}

export function isLoopback(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback';
}

/** Whether a text is an address or a range such as 10.0.0.0/8. */
export function isAddressOrRange(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  return isIP(address) !== 0 && (address === text || ipaddr.isValidCIDR(text));
}

/** A test for addresses in any of the ranges. An IPv4-mapped IPv6 address counts as IPv6. */
export function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges.map((range) => ipaddr.parseCIDR(range));
  return (address) => {
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.parse(address);
    return networks.some((network) => network[0].kind() === parsed.kind() && parsed.match(network));
  };
}

/** An address, IPv4-mapped IPv6 as IPv4; null for any other text, including the short forms of IPv4 such as 127.1. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return isIP(text) === 0 ? null : ipaddr.process(text);
}
