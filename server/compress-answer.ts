import { promisify } from 'node:util';
import { constants, gzip, zstdCompress } from 'node:zlib';

/** Shorter texts gain nothing, in bytes. */
const SHORTEST = 1_024;

const zstd = promisify(zstdCompress);
const gzipped = promisify(gzip);

export interface CompressedAnswer {
  body: Buffer;
  encoding: 'zstd' | 'gzip' | null;
}

/** Compresses an answer made for one request, quickly rather than tightly, as far as its asker takes it. */
export async function compressAnswer(text: string, accepted: string | undefined): Promise<CompressedAnswer> {
  const encoding = text.length < SHORTEST ? null : encodingFor(accepted ?? '');
  switch (encoding) {
    case 'zstd':
      return { encoding, body: await zstd(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }) };
    case 'gzip':
      return { encoding, body: await gzipped(text, { level: 1 }) };
    case null:
      // Bytes at once: a long text made of pieces would be written far more slowly.
      return { encoding, body: Buffer.from(text) };
  }
}

function encodingFor(accepted: string): 'zstd' | 'gzip' | null {
  const named = accepted
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]);
  if (named.includes('zstd')) return 'zstd';
  return named.includes('gzip') ? 'gzip' : null;
}
