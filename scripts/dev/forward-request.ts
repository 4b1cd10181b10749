import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Forwards a request to the server at `urlOf`, once the server is ready. Rejects if there is no server, if its
 * response breaks off, or if the client disconnects.
 */
export async function forwardRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  urlOf: () => Promise<string>,
): Promise<void> {
  const target = new URL(incoming.url ?? '/', await urlOf());
  const { method, headers } = incoming;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const forwarded = request(target, { method, headers, agent: false }, resolve).on('error', reject);
    outgoing.once('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  outgoing.writeHead(response.statusCode ?? 502, response.headers);
  await pipeline(response, outgoing);
}
