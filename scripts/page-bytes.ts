import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { keptFiles } from '../server/page/offline-files.ts';

/** A part of the built page, with its size and budget in bytes after Brotli compression. */
export interface PagePart {
  part: string;
  bytes: number;
  budget: number;
}

const WIDGET = 'widget/price-analysis.js';

/** Measures a built page against its budgets. */
export function weighPage(folder: string): PagePart[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(js|css|woff2))"/g)];
  const files = (ending: string) => named.flatMap(([, file = '', kind]) => (kind === ending ? [file] : []));
  const weigh = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + weighFile(join(folder, name)), 0);
  const first = named.flatMap(([, file = '', kind]) => (kind === 'js' ? [file] : []));
  const scripts = readFileSync(join(folder, 'results.html'), 'utf8');
  const preloaded = [...scripts.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file = '']) => file);
  const ofResults = withImports(folder, [...new Set(preloaded)]);
  const ofFilters = readdirSync(join(folder, 'assets'))
    .map((name) => join('assets', name))
    .filter(
      (name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes('filter-rail'),
    );
  return [
    { part: 'JavaScript of the first load', bytes: weigh(first), budget: 104_000 },
    { part: 'JavaScript of a link to results', bytes: weigh([...ofResults, WIDGET]), budget: 130_000 },
    {
      part: 'JavaScript of a link to results, wide screen',
      bytes: weigh([...withImports(folder, [...ofResults, ...ofFilters]), WIDGET]),
      budget: 136_000,
    },
    { part: 'HTML and CSS of the first load', bytes: weigh(['index.html', ...files('css')]), budget: 14_000 },
    { part: 'Typeface of the first load', bytes: weigh(files('woff2')), budget: 22_000 },
    { part: 'Kept for use offline', bytes: weigh(keptFiles(folder)), budget: 300_000 },
  ];
}

/** Scripts and what they import statically. */
function withImports(folder: string, scripts: readonly string[]): string[] {
  const found = new Set(scripts);
  for (const script of found) {
    const code = readFileSync(join(folder, script), 'utf8');
    for (const [, path = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      found.add(join('assets', path));
  }
  return [...found];
}

/** The compressed size of a file. The smallest files are not compressed. */
function weighFile(file: string): number {
  const compressed = `${file}.br`;
  return statSync(existsSync(compressed) ? compressed : file).size;
}
