import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../lib/ip-address.ts';

/**
 * Whether a request comes from this machine: from a loopback address, to a loopback host name (any other name may be
 * made to resolve here), not through a proxy and not from another site's page.
 */
export function isLocalRequest({ socket, headers }: FastifyRequest): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const { origin } = headers;
  return (
    isLoopback(socket.remoteAddress ?? '127.0.0.1') &&
    /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host) &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    (origin === undefined || URL.parse(origin)?.host === headers.host) &&
    !['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
  );
}
