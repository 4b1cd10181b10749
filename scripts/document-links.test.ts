import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = globSync(['*.md', 'bench/*.md', 'docs/**/*.md'], { cwd: ROOT }).filter(
  (name) => name !== 'CHANGELOG.md',
);

/** The first group of every match outside code blocks. */
function matches(document: string, pattern: RegExp): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(pattern)].map(([, target = '']) => target);
}

describe('The documents', () => {
  it.each(DOCUMENTS)('link to files that exist: %s', (document) => {
    const targets = matches(document, /\]\((?!https?:|mailto:|#)([^)#\s]+)/g);
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(document), target)))).toEqual([]);
  });

  it.each(DOCUMENTS)('name source files that exist: %s', (document) => {
    const paths = matches(document, /`((?:bench|domain|scripts|server|tests|web|widget)\/[\w./-]+)`/g);
    const exists = (path: string) => ['', '.ts', '.tsx'].some((end) => existsSync(join(ROOT, path + end)));
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });
});
