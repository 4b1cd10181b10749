import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';

type Text = string | Uint8Array;

/** Compressing a shorter response saves nothing. */
const MIN_LENGTH = 1_024;

/** In order of preference. At these levels each is smaller and faster than the next. */
const COMPRESS = {
  zstd: (text: Text) => zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (text: Text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (text: Text) => gzipSync(text, { level: 1 }),
};
const ENCODINGS = ['zstd', 'br', 'gzip'] as const;

interface CompressedResponse {
  body: Buffer;
  encoding: (typeof ENCODINGS)[number] | null;
}

/**
 * Compresses a response for one request at the fastest level, if the client accepts that. Synchronous,
 * because for a hundred packages that is faster than using another thread.
 */
export function compressResponse(text: Text, accepted: string | undefined): CompressedResponse {
  const encoding = text.length < MIN_LENGTH ? null : acceptedEncoding(accepted);
  // A copy, because the caller may reuse its bytes.
  return { encoding, body: encoding === null ? Buffer.from(text) : COMPRESS[encoding](text) };
}

/** The encoding of a longer response to a client with this `Accept-Encoding`. */
export function acceptedEncoding(accepted: string | undefined): CompressedResponse['encoding'] {
  // `*` counts as gzip, as for built files.
  return negotiate((accepted ?? '').toLowerCase().replaceAll('*', 'gzip'), [...ENCODINGS]);
}
