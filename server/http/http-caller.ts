import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CallerGone, LOCAL_CLIENT } from '../lib/caller.ts';
import { deadlineIn } from '../lib/deadline.ts';
import { clientOf } from '../lib/ip-address.ts';
import { isFromHere } from './local-request.ts';

/** How long a request may take, including time in queues. */
const MAX_REQUEST_MS = 10_000;

/** The client that sent a request, with the request's deadline. */
export function httpCaller(request: FastifyRequest, reply: FastifyReply): Caller {
  const client = isFromHere(request) ? LOCAL_CLIENT : clientOf(request.ip);
  return { client, signal: hangUpSignal(reply), deadline: deadlineIn(MAX_REQUEST_MS) };
}

/** Aborted if the connection closes before the response is sent. */
function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const hungUp = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) hungUp.abort(new CallerGone());
  });
  return hungUp.signal;
}
