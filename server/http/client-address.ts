import type { IncomingMessage } from 'node:http';
import { all as addressesOf, compile } from '@fastify/proxy-addr';
import { isAddress, withoutPort } from '../lib/ip-address.ts';
import { memoize } from '../lib/memoize.ts';

/** Finds out who has sent a request, behind the proxies in front of this server. */
export interface ClientAddresses {
  /**
   * Whether a proxy's word is taken. False: there are no proxies. The framework finds `request.ip` by it too. The address of
   * a connection that was reset is undefined.
   */
  trusts: false | ((address: string | undefined) => boolean);
  /** The address next to the last trusted proxy, or the connection's own; empty if the connection was reset. */
  addressOf(request: IncomingMessage): string;
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
    addressOf: (request) => addressesOf(request, trusts).at(-1) ?? '',
  };
}

/** Takes out the ports that some proxies append to addresses in X-Forwarded-For. */
export function dropForwardedPorts({ headers }: IncomingMessage): void {
  const chain = headers['x-forwarded-for'];
  if (typeof chain !== 'string' || !chain.includes(':')) return;
  headers['x-forwarded-for'] = chain
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
