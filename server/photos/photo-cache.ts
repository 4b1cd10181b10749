import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Clearing goes down to this share of the limit, so that clearing is rare. */
const CLEARED_PART = 0.9;

/** A cache of files in a folder. Beyond `maxBytes`, removes the least recently used files. */
export interface PhotoCache {
  /** A path for a new temporary file, which the caller has to remove. */
  temporary(): Promise<string>;
  read(key: string): Promise<Buffer | null>;
  write(key: string, content: Buffer): Promise<void>;
}

export function photoCache(folder: string, maxBytes: number): PhotoCache {
  /** The size of all files; null if not counted yet. */
  let bytes: number | null = null;
  const pathOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'));

  async function clear(): Promise<void> {
    const names = await readdir(folder);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        return { path, size: found?.size ?? 0, usedAt: found?.mtimeMs ?? 0 };
      }),
    );
    bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= maxBytes) return;
    for (const { path, size } of files.toSorted((one, other) => one.usedAt - other.usedAt)) {
      if (bytes <= maxBytes * CLEARED_PART) return;
      await rm(path, { force: true });
      bytes -= size;
    }
  }

  async function temporary(): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, `${randomUUID()}.new`);
  }

  return {
    temporary,
    async read(key) {
      const path = pathOf(key);
      const content = await readFile(path).catch(() => null);
      const now = new Date();
      if (content !== null) await utimes(path, now, now).catch(() => {});
      return content;
    },
    async write(key, content) {
      const path = await temporary();
      await writeFile(path, content, { mode: 0o600 });
      await rename(path, pathOf(key));
      bytes = bytes === null ? null : bytes + content.length;
      if (bytes === null || bytes > maxBytes) await clear();
    },
  };
}
