import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** A part of the built page, what it weighs and what it may weigh, in bytes as brotli sends them. */
export interface PagePart {
  part: string;
  bytes: number;
  budget: number;
}

const LAZY_PARTS = [
  { part: 'List search, with the first focus', name: 'list-search-chunk', budget: 5_000 },
  { part: 'Results, when a search is likely', name: 'results-chunk', budget: 10_000 },
  { part: 'Calendar, when a date is likely', name: 'Calendar', budget: 20_000 },
  { part: 'Alert modal, when it is likely', name: 'AlertModal', budget: 5_000 },
];

/** Weighs the page built in a folder against its budgets. Throws where a part of it is not there. */
export function weighPage(folder: string): PagePart[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(js|css|woff2))"/g)];
  const files = (ending: string) => named.flatMap(([, file = '', kind]) => (kind === ending ? [file] : []));
  const weigh = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + weighFile(join(folder, name)), 0);
  const assets = readdirSync(join(folder, 'assets'));
  return [
    { part: 'JavaScript of the first load', bytes: weigh(files('js')), budget: 85_000 },
    { part: 'HTML and CSS of the first load', bytes: weigh(['index.html', ...files('css')]), budget: 14_000 },
    { part: 'Typeface of the first load', bytes: weigh(files('woff2')), budget: 22_000 },
    ...LAZY_PARTS.map(({ part, name, budget }) => {
      const own = assets.filter((file) => /\.(js|css)$/.test(file) && file.startsWith(`${name}-`));
      if (own.length === 0) throw new Error(`The built page has no file assets/${name}-*: is it built?`);
      return { part, bytes: weigh(own.map((file) => join('assets', file))), budget };
    }),
  ];
}

/** As the build compressed it, or as it would be. */
function weighFile(file: string): number {
  const compressed = `${file}.br`;
  return existsSync(compressed)
    ? readFileSync(compressed).length
    : brotliCompressSync(readFileSync(file)).length;
}
