import type { FastifyRequest } from 'fastify';
import { isLoopback, isOwnAddress } from '../lib/ip-address.ts';

/** Headers that proxies and content networks add. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|cdn-loop)$/;

function isForwarded({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  for (const name in headers) if (FORWARDING.test(name)) return true;
  return false;
}

/** Whether a program on this machine sent a request, not through a proxy. */
export function isFromHere(request: Pick<FastifyRequest, 'ip' | 'headers'>): boolean {
  return isOwnAddress(request.ip) && !isForwarded(request);
}

/**
 * The same, from a loopback address to a loopback host name (any other name may be made to resolve here), and not from
 * another site's page. A proxy with default settings may add no header, but sends HTTP/1.0.
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
