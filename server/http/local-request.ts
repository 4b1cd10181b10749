import type { FastifyRequest } from 'fastify';
import { isLoopback, isOwnAddress } from '../lib/ip-address.ts';

/** Headers that proxies and CDNs add. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|cdn-loop)$/;

function isForwarded({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  for (const name in headers) if (FORWARDING.test(name)) return true;
  return false;
}

/** Whether a request comes from a program on this machine, and not through a proxy. */
export function isFromHere(request: Pick<FastifyRequest, 'ip' | 'headers'>): boolean {
  return isOwnAddress(request.ip) && !isForwarded(request);
}

/**
 * Whether a program on this machine sent a request, not a proxy or another site's page. The host name must be
 * a loopback one, because any name can resolve to this machine. A proxy may add no header, but uses HTTP/1.0.
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
