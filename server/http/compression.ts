import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Bytes; compressing less saves nothing. */
const MIN_LENGTH = 1_024;

/** Responses have some kilobytes. Brotli's usual window takes 4 MB for each that is being compressed. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 };

/** Text. Pictures and fonts are compressed already. */
const COMPRESSIBLE = /^text\/|[+/](json|javascript|xml)(;|$)/;

/** Compresses the responses that have not been compressed before, such as pages that the server writes. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: MIN_LENGTH,
    customTypes: COMPRESSIBLE,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    brotliOptions: { params: BROTLI },
  });
}
