import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Bytes; compressing less saves nothing. */
const MIN_LENGTH = 1_024;

/** Responses have some kilobytes. Brotli's usual window takes 4 MB for each that is being compressed. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 };

/** What is text. Pictures and fonts are compressed already. */
const COMPRESSIBLE = /^text\/|[+/](json|javascript|xml)(;|$)/;

/** Responses that are compressed at the same time: half a megabyte each. More are sent as they are. */
const MOST_AT_ONCE = 64;

/** Compresses the responses that have not been compressed before, such as pages that the server writes, a number of them at once. */
export async function addCompression(app: FastifyInstance, mostAtOnce = MOST_AT_ONCE): Promise<void> {
  let open = 0;
  app.addHook('onSend', async (request, reply) => {
    // A connection that has closed already says so no more.
    if (reply.raw.closed || !isForCompression(request, reply)) return;
    if (open >= mostAtOnce) {
      // The plugin's own sign for a response that is to be sent as it is.
      request.headers['x-no-compression'] = 'busy';
      return;
    }
    open += 1;
    reply.raw.once('close', () => {
      open -= 1;
    });
  });
  await app.register(compress, {
    threshold: MIN_LENGTH,
    customTypes: COMPRESSIBLE,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    brotliOptions: { params: BROTLI },
  });
}

/** Whether a response takes one of the places: slow readers of others are no reason to send lists as they are. */
function isForCompression({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.hasHeader('content-encoding')) return false;
  const type = String(reply.getHeader('content-type') ?? '');
  return /\b(br|gzip)\b/.test(String(headers['accept-encoding'])) && COMPRESSIBLE.test(type);
}
