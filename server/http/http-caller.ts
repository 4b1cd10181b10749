import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../lib/caller.ts';
import { networkOf } from '../lib/ip-address.ts';

/** The sender of a request; the signal is aborted if the connection closes before the response has been sent. */
export function httpCaller(request: FastifyRequest, reply: FastifyReply): Caller {
  const hungUp = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hungUp.abort();
  });
  return { network: networkOf(request.ip), signal: hungUp.signal };
}
