import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

const ENCODINGS = ['br', 'gzip'] as const;

/** A text that is compressed once and sent many times. */
export interface Precompressed {
  type: string;
  /** Contents by encoding; '' means uncompressed. Each encoding has its own entity tag. */
  encoded: Readonly<Record<(typeof ENCODINGS)[number] | '', { etag: string; content: string | Buffer }>>;
}

/** `type` is the media type. `quality` is Brotli's, from 0 to 11. High ones are slow for long texts. */
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

/**
 * Sends the text in the encoding that `Accept-Encoding` asks for, or 304 for a matching `If-None-Match`. The
 * route must have `compress: false`.
 */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, encoded }: Precompressed,
): FastifyReply {
  const { 'accept-encoding': accepted = '', 'if-none-match': known = '' } = request.headers;
  // `*` counts as gzip, as for built files.
  const encoding = negotiate(String(accepted).toLowerCase().replaceAll('*', 'gzip'), [...ENCODINGS]) ?? '';
  const { etag, content } = encoded[encoding];
  reply.type(type).headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag });
  if (isAmong(etag, known)) return reply.code(304).send();
  if (encoding !== '') reply.header('content-encoding', encoding);
  return reply.send(content);
}

/** Whether `If-None-Match` has the entity tag. Weak tags match, as proxies weaken ours (RFC 9110, 13.1.2). */
function isAmong(etag: string, known: string): boolean {
  return known.trim() === '*' || known.match(/"[^"]*"/g)?.includes(etag) === true;
}
