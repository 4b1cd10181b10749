import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { memoize } from './memoize.ts';

/** A range of addresses whose requests are counted together. */
export interface ClientRange {
  range: string;
  /** The range's limit is this many times that of one client. */
  clients: number;
}

/** How many IPv6 addresses are cached. Each request looks its own up several times. */
const MAX_CACHED = 2_000;

/** A customer's /48 may be a whole university, or one client with 65,536 subnets. */
const CLIENTS_OF_SITE = 4;

/**
 * The ranges in which an address is counted. An IPv4 address counts alone; an IPv6 address in its /64 and its
 * /48, because a customer may have either. Ignores spelling (case, IPv4-mapped, zone id, port). All invalid texts
 * share one range.
 */
export function clientRanges(address: string): readonly ClientRange[] {
  const plain = withoutPort(address);
  // Needs no cache, because an IPv4 address has one spelling.
  if (isIPv4(plain)) return [{ range: plain, clients: 1 }];
  return isAddress(plain) ? known(plain).ranges : NO_ADDRESS;
}

const NO_ADDRESS: readonly ClientRange[] = [{ range: 'unknown', clients: 1 }];

/** The source addresses of programs on this machine that do not choose another. */
const OWN_ADDRESSES = new Set(['127.0.0.1', '::1']);

/** What is known about an IPv6 address. */
const known = memoize(MAX_CACHED, (address: string) => {
  const parsed = ipaddr.process(address);
  return {
    ranges: rangesOf(parsed),
    isLoopback: parsed.range() === 'loopback',
    isOwn: OWN_ADDRESSES.has(parsed.toString()),
  };
});

function rangesOf(parsed: ReturnType<typeof ipaddr.process>): ClientRange[] {
  if (parsed.kind() === 'ipv4') return [{ range: parsed.toString(), clients: 1 }];
  const groups = parsed.toNormalizedString().split(':');
  return [
    { range: `${groups.slice(0, 4).join(':')}::/64`, clients: 1 },
    { range: `${groups.slice(0, 3).join(':')}::/48`, clients: CLIENTS_OF_SITE },
  ];
}

/** The name of the client at an address: its IPv4 address, or its IPv6 /64. */
export function clientOf(address: string): string {
  return clientRanges(address)[0]?.range ?? address;
}

/** Removes the port that some proxies append: 192.0.2.1:4711, [2001:db8::1]:4711. */
export function withoutPort(text: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/.exec(text) ?? [];
  return v6 ?? v4 ?? text;
}

export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return isAddress(address) && known(address).isLoopback;
}

/**
 * Whether programs on this machine connect from an address by default. Other loopback addresses count as
 * clients, so that operators can test the limits locally.
 */
export function isOwnAddress(address: string): boolean {
  if (isIPv4(address)) return OWN_ADDRESSES.has(address);
  return isAddress(address) && known(address).isOwn;
}

/** Limits what is cached, because a zone id may have any length. */
const MAX_LENGTH = 100;

/** Whether a text of sensible length is an IPv4 or IPv6 address. */
export function isAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && isIP(text) !== 0;
}

/** Whether a text is an address or a range such as 10.0.0.0/8. */
export function isAddressOrRange(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  return isIP(address) !== 0 && (address === text || ipaddr.isValidCIDR(text));
}
