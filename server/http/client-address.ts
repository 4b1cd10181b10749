import type { IncomingMessage } from 'node:http';
import { all as addressesOf, compile } from '@fastify/proxy-addr';
import { isAddress, isOwnAddress, networkOf, withoutPort } from '../lib/ip-address.ts';
import { memoize } from '../lib/memoize.ts';

/** What tells who has sent a request. */
export type SentFrom = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Finds out who has sent a request, behind the proxies in front of this server. */
export interface ClientAddresses {
  /**
   * Whether a proxy's word is taken. False: there are no proxies. The framework finds `request.ip` by it too. The address of
   * a connection that was reset is undefined.
   */
  trusts: false | ((address: string | undefined) => boolean);
  /** The address next to the last trusted proxy, or the connection's own; empty if the connection was reset. */
  addressOf(request: SentFrom): string;
}

/** The network of an address that connects. Null: many clients connect from it, as from a proxy or from this machine. */
export function connectingNetwork({ trusts }: ClientAddresses): (address: string) => string | null {
  return (address) =>
    isOwnAddress(address) || (trusts !== false && trusts(address)) ? null : networkOf(address);
}

/** Addresses of proxies whose trust is remembered. Requests come from a few; a forged header may name any. */
const REMEMBERED = 2_000;

/** `proxies`: addresses, ranges, and names of ranges such as `loopback`. Throws for other texts. */
export function clientAddresses(proxies: readonly string[]): ClientAddresses {
  if (proxies.length === 0) {
    return { trusts: false, addressOf: ({ socket }) => socket.remoteAddress ?? '' };
  }
  const isProxy = compile([...proxies]);
  const isKnownProxy = memoize<boolean, string>(REMEMBERED, (address) => isProxy(address, 0));
  const trusts = (address = '') => isAddress(address) && isKnownProxy(address);
  return {
    trusts,
    addressOf: (request) => addressesOf(request as IncomingMessage, trusts).at(-1) ?? '',
  };
}

/** Characters of X-Forwarded-For that are read: twenty addresses of the longest kind, where a few proxies stand. */
const LONGEST_CHAIN = 1_000;

/**
 * Cuts X-Forwarded-For on the left, where the sender can write what it likes and proxies have written nothing, and takes
 * out the ports that some proxies append to addresses. A header of thousands of addresses would cost more than the
 * request.
 */
export function tidyForwardedFor({ headers }: Pick<SentFrom, 'headers'>): void {
  const sent = headers['x-forwarded-for'];
  if (typeof sent !== 'string') return;
  const chain = sent.length <= LONGEST_CHAIN ? sent : lastAddresses(sent.slice(-LONGEST_CHAIN));
  headers['x-forwarded-for'] = chain.includes(':') ? withoutPorts(chain) : chain;
}

/** Without the first address, of which a part may be cut off. */
function lastAddresses(chain: string): string {
  return chain.slice(chain.indexOf(',') + 1).trim();
}

function withoutPorts(chain: string): string {
  return chain
    .split(',')
    .map((address) => withoutPort(address.trim()))
    .join(', ');
}

const UNTRUSTED_PROXY =
  'A request came through a proxy that TRUST_PROXY does not name: all visitors behind it share one request limit. Set TRUST_PROXY to its address, or remove the headers X-Forwarded-For and Forwarded in front of the server. Reported once.';

/** Reports the first request with the header of a proxy, if none is trusted. */
export function untrustedProxyWarning(
  { trusts }: ClientAddresses,
  warn: (text: string) => void,
): (request: IncomingMessage) => void {
  let hasWarned = trusts !== false;
  return ({ headers }) => {
    if (hasWarned || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)) return;
    hasWarned = true;
    warn(UNTRUSTED_PROXY);
  };
}
