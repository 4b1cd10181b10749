import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressResponse } from './compress-response.ts';

const LONG = '{"HotelName":"Señorío"}'.repeat(100);

describe('compressResponse', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['GZIP;q=0.5', 'gzip', gunzipSync],
    ['zstd;q=0, gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
    ['deflate', null, asItIs],
    ['', null, asItIs],
    [undefined, null, asItIs],
  ])('encodes a response to Accept-Encoding "%s" as %s', async (accepted, encoding, decompress) => {
    const answer = compressResponse(LONG, accepted);
    expect(answer.encoding).toBe(encoding);
    expect(decompress(answer.body).toString()).toBe(LONG);
  });

  it('does not compress a short response', async () => {
    expect(compressResponse('{}', 'zstd, gzip')).toEqual({ body: Buffer.from('{}'), encoding: null });
  });
});

function asItIs(body: Buffer): Buffer {
  return body;
}
