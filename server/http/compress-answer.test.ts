import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressAnswer } from './compress-answer.ts';

const LONG = '{"HotelName":"Señorío"}'.repeat(100);

describe('compressAnswer', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['GZIP;q=0.5', 'gzip', gunzipSync],
    ['zstd;q=0, gzip', 'gzip', gunzipSync],
    ['br', null, asItIs],
    ['', null, asItIs],
    [undefined, null, asItIs],
  ])('answers Accept-Encoding "%s" with %s', async (accepted, encoding, decompress) => {
    const answer = compressAnswer(LONG, accepted);
    expect(answer.encoding).toBe(encoding);
    expect(decompress(answer.body).toString()).toBe(LONG);
  });

  it('does not compress a short answer', async () => {
    expect(compressAnswer('{}', 'zstd, gzip')).toEqual({ body: Buffer.from('{}'), encoding: null });
  });
});

function asItIs(body: Buffer): Buffer {
  return body;
}
