import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * The file with a backup's SHA-256, beside it and in the format of sha256sum: whoever copies the two files somewhere
 * can check them there, without Skylark.
 */
export function checksumPath(backup: string): string {
  return `${backup}.sha256`;
}

/** What that file says. A name with a backslash or a line break is escaped, as sha256sum does it. */
export function checksumText(backup: string, sha256: string): string {
  const name = basename(backup);
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
}

/** The SHA-256 beside a backup. The name in it does not matter: both files may have been renamed. */
export function readChecksum(
  backup: string,
): { kind: 'missing' } | { kind: 'unreadable' } | { kind: 'found'; sha256: string } {
  const file = checksumPath(backup);
  if (!existsSync(file)) return { kind: 'missing' };
  const sha256 = /^\\?([\da-f]{64})(?:\s|$)/i.exec(readFileSync(file, 'utf8'))?.[1];
  return sha256 === undefined ? { kind: 'unreadable' } : { kind: 'found', sha256: sha256.toLowerCase() };
}
