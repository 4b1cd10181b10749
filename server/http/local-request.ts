import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../lib/ip-address.ts';

/** Headers that proxies and content networks add. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|cdn-loop)$/;

/** Whether a request has a header that a proxy adds. */
export function isForwarded({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  for (const name in headers) if (FORWARDING.test(name)) return true;
  return false;
}

/**
 * Whether a request comes from this machine: from a loopback address, to a loopback host name (any other name may be
 * made to resolve here), not through a proxy and not from another site's page. A proxy with default settings may add no
 * header and send a loopback host name, but asks in HTTP/1.0.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const { socket, headers, raw } = request;
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const { origin } = headers;
  return (
    isLoopback(socket.remoteAddress ?? '127.0.0.1') &&
    /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host) &&
    raw.httpVersion !== '1.0' &&
    !isForwarded(request) &&
    (origin === undefined || URL.parse(origin)?.host === headers.host) &&
    !['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
  );
}
