import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches the built page's inline stylesheets. `data-sheet` is the URL of the same stylesheet as a file. */
const STYLE = /<style data-sheet="([^"]+)">(.*?)<\/style>/gs;

export interface InlineStyle {
  /** The URL of the same stylesheet as a file. */
  href: string;
  /** The stylesheet's hash for the Content-Security-Policy, without quotation marks. */
  hash: string;
}

/** The inline stylesheets of the built page in a folder; none if there is no page. */
export function inlineStyles(builtPage: string | null): InlineStyle[] {
  const path = join(builtPage ?? '', 'index.html');
  if (builtPage === null || !existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(STYLE)].map(([, href = '', sheet = '']) => ({
    href,
    hash: `sha256-${createHash('sha256').update(sheet).digest('base64')}`,
  }));
}
