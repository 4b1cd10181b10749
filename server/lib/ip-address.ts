import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { memoize } from './memoize.ts';

/** A network whose requests are counted together. */
export interface ClientNetwork {
  network: string;
  /** How many clients' allowances the network has. */
  clients: number;
}

/** IPv6 addresses that are remembered, because each request asks about its own several times. */
const REMEMBERED = 2_000;

/** A customer's /48 may be a company or a university, but also one client with 65,536 networks. */
const CLIENTS_OF_SITE = 4;

/**
 * The networks that an address is counted in: an IPv4 address is one by itself. An IPv6 customer has at least a /64, and
 * often a whole /48. The same address gives the same networks however it is written (upper case, IPv4-mapped, with a
 * zone id or a port). All other texts are one network: each could be any text of any length, and would be remembered.
 */
export function clientNetworks(address: string): readonly ClientNetwork[] {
  const plain = withoutPort(address);
  // An IPv4 address is written in one way only.
  if (isIPv4(plain)) return [{ network: plain, clients: 1 }];
  return isAddress(plain) ? networksOnce(plain) : NO_ADDRESS;
}

const NO_ADDRESS: readonly ClientNetwork[] = [{ network: 'unknown', clients: 1 }];

const networksOnce = memoize<readonly ClientNetwork[], string>(REMEMBERED, networksOf);

function networksOf(address: string): ClientNetwork[] {
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [{ network: parsed.toString(), clients: 1 }];
  const groups = parsed.toNormalizedString().split(':');
  return [
    { network: `${groups.slice(0, 4).join(':')}::/64`, clients: 1 },
    { network: `${groups.slice(0, 3).join(':')}::/48`, clients: CLIENTS_OF_SITE },
  ];
}

/** The client that an address belongs to: an IPv4 address, or an IPv6 /64. */
export function networkOf(address: string): string {
  return clientNetworks(address)[0]?.network ?? address;
}

/** An address without the port that some proxies append: 192.0.2.1:4711, [2001:db8::1]:4711. Other text unchanged. */
export function withoutPort(text: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/.exec(text) ?? [];
  return v6 ?? v4 ?? text;
}

const isLoopbackOnce = memoize<boolean, string>(
  REMEMBERED,
  (address) => ipaddr.process(address).range() === 'loopback',
);

export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return isAddress(address) && isLoopbackOnce(address);
}

/** Where a program connects from if it does not choose an address. */
const OWN_ADDRESSES = new Set(['127.0.0.1', '::1']);

const isOwnOnce = memoize<boolean, string>(REMEMBERED, (address) =>
  OWN_ADDRESSES.has(ipaddr.process(address).toString()),
);

/**
 * Whether an address is the one that programs on this machine connect from. Whoever chooses another loopback address is a
 * client of its own, so that an operator can try the limits of clients on the machine itself.
 */
export function isOwnAddress(address: string): boolean {
  if (isIPv4(address)) return OWN_ADDRESSES.has(address);
  return isAddress(address) && isOwnOnce(address);
}

/** Characters. A zone id may have any number of them, and addresses are remembered. */
const LONGEST = 100;

/** Whether a text is an IPv4 or IPv6 address of a sensible length. */
export function isAddress(text: string): boolean {
  return text.length <= LONGEST && isIP(text) !== 0;
}

/** Whether a text is an address or a range such as 10.0.0.0/8. */
export function isAddressOrRange(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  return isIP(address) !== 0 && (address === text || ipaddr.isValidCIDR(text));
}
