import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The path of a backup's SHA-256 file, which sha256sum can read, so copies can be checked without Skylark. */
export function checksumPath(backup: string): string {
  return `${backup}.sha256`;
}

/** The content of the file. Escapes a backslash or line break in the name, as sha256sum does. */
export function checksumText(backup: string, sha256: string): string {
  const name = basename(backup);
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
}

/** The SHA-256 in a backup's checksum file. Ignores the file name in it, because the backup may be renamed. */
export function readChecksum(
  backup: string,
): { kind: 'missing' } | { kind: 'unreadable' } | { kind: 'found'; sha256: string } {
  const file = checksumPath(backup);
  if (!existsSync(file)) return { kind: 'missing' };
  const sha256 = /^\\?([\da-f]{64})(?:\s|$)/i.exec(readFileSync(file, 'utf8'))?.[1];
  return sha256 === undefined ? { kind: 'unreadable' } : { kind: 'found', sha256: sha256.toLowerCase() };
}
