import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, LONGEST_IN_FLOOD_MS } from '../lib/caller.ts';
import { systemClock } from '../lib/clock.ts';
import { isOwnAddress, networkOf } from '../lib/ip-address.ts';
import { isForwarded } from './local-request.ts';

/** How long a request waits in all queues before its work together, in milliseconds. Then it is refused. */
const LONGEST_IN_QUEUES_MS = 2_000;

/** The sender of a request. */
export function httpCaller(request: FastifyRequest, reply: FastifyReply): Caller {
  const now = systemClock.now();
  return {
    ...queuePlace(request),
    signal: hangUpSignal(reply),
    waitsUntil: now + LONGEST_IN_QUEUES_MS,
    waitsInFloodUntil: now + LONGEST_IN_FLOOD_MS,
  };
}

/** Aborted if the connection closes before the response has been sent. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const hungUp = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hungUp.abort();
  });
  return hungUp.signal;
}

/** Whose place in the queues a request takes. */
export function queuePlace(request: SentRequest): Pick<Caller, 'network' | 'isLocal'> {
  // Programs on this machine are told apart by their connections: one that asks a lot must not delay another's request.
  if (!isFromHere(request)) return { network: networkOf(request.ip) };
  return { network: `connection ${request.socket.remotePort}`, isLocal: true };
}

/** A request, and the address that has sent it. */
export type SentRequest = Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>;

/** Whether a request comes from this machine, and not through a proxy on it. */
export function isFromHere(request: SentRequest): boolean {
  return isOwnAddress(request.ip) && !isForwarded(request);
}
