import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { errorCode } from '../lib/error-message.ts';

/**
 * Whether @fastify/static has refused an address with 403: because no file can have it (`/../`, `//healthz`, a name of
 * 300 characters), or because the process has no file left with which to read the folder.
 */
export function isRefusedFile(error: Error): boolean {
  return errorCode(error) === 'FST_STATIC_FORBIDDEN_PATH';
}

/** Whether the built page has a file of exactly this address. Opens no file. */
export async function hasFile(builtPage: string | null, url: string): Promise<boolean> {
  try {
    const path = decodeURI(url.split('?', 1)[0] ?? '');
    return builtPage !== null && (await realpath(join(builtPage, path))).endsWith(path);
  } catch {
    return false;
  }
}

const FILE_HEADERS = [
  'accept-ranges',
  'cache-control',
  'content-encoding',
  'content-range',
  'etag',
  'last-modified',
];

/** Takes back what was said about a file that then could not be read. The answer is an error in JSON. */
export function dropFileHeaders(reply: FastifyReply): void {
  if (!reply.hasHeader('etag')) return;
  for (const name of FILE_HEADERS) reply.removeHeader(name);
  reply.type('application/json; charset=utf-8');
}
