import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

const ENCODINGS = ['br', 'gzip'] as const;

/** A text that is compressed once and sent many times. */
export interface Precompressed {
  type: string;
  /** By encoding, '' for none. Each encoding has its own entity tag. */
  encoded: Readonly<Record<(typeof ENCODINGS)[number] | '', { etag: string; content: string | Buffer }>>;
}

/** `type` is the media type, `quality` Brotli's from 0 to 11, which is slow for long texts at the top. */
export async function precompress(
  text: string | Buffer,
  { type, quality }: { type: string; quality: number },
): Promise<Precompressed> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return {
    type,
    encoded: {
      '': { etag: `"${hash}"`, content: text },
      br: { etag: `"${hash}-br"`, content: await promisify(brotliCompress)(text, { params }) },
      gzip: { etag: `"${hash}-gzip"`, content: await promisify(gzip)(text, { level: 9 }) },
    },
  };
}

/** Sends it as `Accept-Encoding` and `If-None-Match` ask. The route must have `compress: false`. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, encoded }: Precompressed,
): FastifyReply {
  const { 'accept-encoding': accepted = '', 'if-none-match': known = '' } = request.headers;
  // Other encodings fall back to gzip, as for built files.
  const encoding = negotiate(String(accepted).toLowerCase().replaceAll('*', 'gzip'), [...ENCODINGS]) ?? '';
  const { etag, content } = encoded[encoding];
  reply.type(type).headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag });
  if (isAmong(etag, known)) return reply.code(304).send();
  if (encoding !== '') reply.header('content-encoding', encoding);
  return reply.send(content);
}

/** Whether `If-None-Match` names the entity tag, even weakly: proxies weaken ours (RFC 9110, 13.1.2). */
function isAmong(etag: string, known: string): boolean {
  return known.trim() === '*' || known.match(/"[^"]*"/g)?.includes(etag) === true;
}
