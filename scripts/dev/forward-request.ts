import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Forwards a request to the server at `addressOf`, once it is ready. Rejects if there is no server, its
 * response breaks off, or the client disconnects.
 */
export async function forwardRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  addressOf: () => Promise<string>,
): Promise<void> {
  const target = new URL(incoming.url ?? '/', await addressOf());
  const { method, headers } = incoming;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const forwarded = request(target, { method, headers, agent: false }, resolve).on('error', reject);
    outgoing.once('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  await pipeline(answer, outgoing);
}
