import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });

describe('A link between documents', () => {
  it.each(DOCUMENTS)('in %s leads to a file', (document) => {
    const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^```.*?^```/gms, '');
    const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
      ([, target = '']) => target,
    );
    const missing = targets.filter((target) => !existsSync(join(ROOT, dirname(document), target)));
    expect(missing).toEqual([]);
  });
});
