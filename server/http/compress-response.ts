import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';

/** Compressing a shorter response saves nothing. */
const MIN_LENGTH = 1_024;

interface CompressedResponse {
  body: Buffer;
  encoding: 'zstd' | 'gzip' | null;
}

/**
 * Compresses a response for one request at the fastest level, if the client accepts that. Synchronous,
 * because for a hundred packages that is faster than using another thread.
 */
export function compressResponse(text: string, accepted: string | undefined): CompressedResponse {
  // `*` counts as gzip, as for built files.
  const asked = (accepted ?? '').toLowerCase().replaceAll('*', 'gzip');
  const encoding = text.length < MIN_LENGTH ? null : negotiate<'zstd' | 'gzip'>(asked, ['zstd', 'gzip']);
  switch (encoding) {
    case 'zstd':
      return {
        encoding,
        body: zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
      };
    case 'gzip':
      return { encoding, body: gzipSync(text, { level: 1 }) };
    case null:
      // As a Buffer, because writing a long concatenated string is much slower.
      return { encoding, body: Buffer.from(text) };
  }
}
