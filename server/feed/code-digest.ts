import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../lib/digest.ts';

/** The folders whose files decide what a feed's line says. */
const FOLDERS = ['../../domain', '../feed', '../inventory'].map((folder) =>
  join(import.meta.dirname, folder),
);

let digest: string | null = null;

/** Changes whenever a line of a feed may be read differently. */
export function codeDigest(): string {
  digest ??= digestOf(
    FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|csv|json)$/.test(name) && !name.endsWith('.test.ts'))
        .toSorted()
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    ).join('\n'),
  );
  return digest;
}
