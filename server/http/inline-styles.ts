import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The built page has its stylesheet inline. The attribute names the same stylesheet as a file. */
const STYLE = /<style data-sheet="([^"]+)">(.*?)<\/style>/gs;

/** A stylesheet inlined in a page. */
export interface InlineStyle {
  /** The address of the same stylesheet as a file. */
  address: string;
  /** Its Content-Security-Policy source, without the quotation marks. */
  hash: string;
}

/** The stylesheets in the built page of a folder; none if there is no page. */
export function inlineStyles(builtPage: string | null): InlineStyle[] {
  const path = join(builtPage ?? '', 'index.html');
  if (builtPage === null || !existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(STYLE)].map(([, address = '', sheet = '']) => ({
    address,
    hash: `sha256-${createHash('sha256').update(sheet).digest('base64')}`,
  }));
}
