import type { FastifyRequest } from 'fastify';

/**
 * Whether a request was made at this machine: from a loopback address, under a loopback name (a stranger's name may
 * be made to point here), through no proxy, and not sent by another site's page.
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

export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address);
}
