import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { errorCode } from '../lib/error-message.ts';
import { type Precompressed, precompress, sendPrecompressed } from './precompressed.ts';

const FORM = { type: 'text/csv; charset=utf-8', quality: 9 };

/** Serves `/data/NAME` from the list's folder. Compresses each list once, and again if its file changes. */
export function addListRoutes(app: FastifyInstance, folders: Readonly<Record<string, string>>): void {
  for (const [name, folder] of Object.entries(folders)) {
    const list = currentList(join(folder, name));
    app.get(`/data/${name}`, { compress: false, config: { isOpen: true } }, async (request, reply) => {
      try {
        return sendPrecompressed(request, reply, await list());
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        return reply.callNotFound();
      }
    });
  }
}

/** Reads a list again only if its file has changed. */
function currentList(path: string): () => Promise<Precompressed> {
  let cached: { version: string; list: Promise<Precompressed> } | null = null;

  return async () => {
    const { ino, mtimeMs, size } = await stat(path);
    const version = `${ino} ${mtimeMs} ${size}`;
    if (cached?.version !== version) {
      const read = { version, list: readFile(path).then((text) => precompress(text, FORM)) };
      cached = read;
      // After a failure, the next request reads it again.
      read.list.catch(() => {
        if (cached === read) cached = null;
      });
    }
    return cached.list;
  };
}
