import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Compressing a shorter response saves nothing. */
const MIN_LENGTH = 1_024;

/** A small window is enough for a few kilobytes. Brotli's default takes 4 MB per response. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 };

/** Only text, because pictures and fonts are already compressed. */
const COMPRESSIBLE = /^text\/|[+/](json|javascript|xml)(;|$)/;

/** Compresses responses without precompressed files, such as the server's own pages. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: MIN_LENGTH,
    customTypes: COMPRESSIBLE,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    brotliOptions: { params: BROTLI },
  });
}
