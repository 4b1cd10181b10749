import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CallerGone, LOCAL_CLIENT } from '../lib/caller.ts';
import { deadlineIn } from '../lib/deadline.ts';
import { isOwnAddress, networkOf } from '../lib/ip-address.ts';
import { isForwarded } from './local-request.ts';

/** How long a request may take, with all queues. */
const MAX_REQUEST_MS = 10_000;

/** The sender of a request. */
export function httpCaller(request: FastifyRequest, reply: FastifyReply): Caller {
  const client = isFromHere(request) ? LOCAL_CLIENT : networkOf(request.ip);
  return { client, signal: hangUpSignal(reply), deadline: deadlineIn(MAX_REQUEST_MS) };
}

/** Aborted if the connection closes before the response has been sent. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const hungUp = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hungUp.abort(new CallerGone());
  });
  return hungUp.signal;
}

/** Whose place a request takes at the entrance. Programs on this machine are told apart by their connections. */
export function queuePlace(request: SentRequest): string {
  return isFromHere(request) ? `connection ${request.socket.remotePort}` : networkOf(request.ip);
}

/** A request, and the address that has sent it. */
export type SentRequest = Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>;

/** Whether a request comes from this machine, and not through a proxy on it. */
export function isFromHere(request: SentRequest): boolean {
  return isOwnAddress(request.ip) && !isForwarded(request);
}
