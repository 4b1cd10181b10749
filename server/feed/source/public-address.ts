import { BlockList, isIPv6 } from 'node:net';

/** Loopback, private and reserved networks. */
const CLOSED = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  CLOSED.addSubnet(network, prefix, 'ipv4');
}

/** Only global unicast IPv6 addresses are public, except those that embed an IPv4 address. */
const OPEN_IPV6 = new BlockList();
OPEN_IPV6.addSubnet('2000::', 3, 'ipv6');
const CARRIERS = new BlockList();
CARRIERS.addSubnet('2001::', 23, 'ipv6');
CARRIERS.addSubnet('2001:db8::', 32, 'ipv6');
CARRIERS.addSubnet('2002::', 16, 'ipv6');

/** Whether an IP address is public. A feed's host must not resolve to an internal one. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !CLOSED.check(address, 'ipv4');
  return OPEN_IPV6.check(address, 'ipv6') && !CARRIERS.check(address, 'ipv6');
}
