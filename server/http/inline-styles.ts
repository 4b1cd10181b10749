import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The built page has its stylesheet in it; the attribute says what file it is too. */
const STYLE = /<style data-sheet="([^"]+)">(.*?)<\/style>/gs;

/** A stylesheet that stands in a page. */
export interface InlineStyle {
  /** The address of the same as a file. */
  address: string;
  /** What a Content-Security-Policy lets it in by, without its quotation marks. */
  hash: string;
}

/** The stylesheets in the built page of a folder; none where there is no page. */
export function inlineStyles(builtPage: string | null): InlineStyle[] {
  const path = join(builtPage ?? '', 'index.html');
  if (builtPage === null || !existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(STYLE)].map(([, address = '', sheet = '']) => ({
    address,
    hash: `sha256-${createHash('sha256').update(sheet).digest('base64')}`,
  }));
}
