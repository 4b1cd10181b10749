import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moduleImports, readModuleImports } from './module-imports.ts';

describe('Imports of a module', () => {
  it('include types, defaults and whole modules', () => {
    const code = `import type { Pence } from '../domain/money.ts';
      import first, { type Row, read as readRow } from './rows.ts';
      import * as all from './all.ts';`;
    expect(moduleImports('server/store.ts', code)).toEqual([
      { from: 'server/store.ts', to: 'domain/money.ts' },
      { from: 'server/store.ts', to: 'server/rows.ts' },
      { from: 'server/store.ts', to: 'server/all.ts' },
    ]);
  });

  it('include exports from another file, import() and imports for effects', () => {
    const code = `export { rank, type Rank } from './rank.ts';
      export * from './sort.ts';
      import './page.css';
      const later = () => import('./later.ts');
      export const here = 1;`;
    expect(moduleImports('web/page.tsx', code)).toEqual([
      { from: 'web/page.tsx', to: 'web/page.css' },
      { from: 'web/page.tsx', to: 'web/rank.ts' },
      { from: 'web/page.tsx', to: 'web/sort.ts' },
      { from: 'web/page.tsx', to: 'web/later.ts' },
    ]);
  });

  it('count once for each file, without a query such as ?raw', () => {
    const code = `import lark from './lark.svg?raw';
      import type { Lark } from './bird.ts';
      import { sing } from './bird.ts';`;
    expect(moduleImports('web/brand.ts', code)).toEqual([
      { from: 'web/brand.ts', to: 'web/lark.svg' },
      { from: 'web/brand.ts', to: 'web/bird.ts' },
    ]);
  });

  it('do not include packages, comments, text and workers', () => {
    const code = `import { join } from 'node:path';
      // import { x } from './comment.ts';
      const text = "import { x } from './text.ts'";
      new Worker(new URL('./worker.ts', import.meta.url));`;
    expect(moduleImports('server/main.ts', code)).toEqual([]);
  });

  it('in a file that does not parse cause an error that names the file', () => {
    expect(() => moduleImports('server/broken.ts', 'import {')).toThrow('server/broken.ts does not parse');
  });

  it('are read from every file that matches the patterns', () => {
    const root = mkdtempSync(join(tmpdir(), 'skylark-imports-'));
    try {
      mkdirSync(join(root, 'a/b'), { recursive: true });
      writeFileSync(join(root, 'a/one.ts'), `import { two } from './b/two.tsx';`);
      writeFileSync(join(root, 'a/b/two.tsx'), `import '../../other/three.ts';\nexport const two = <b />;`);
      expect(readModuleImports(root, ['a/**/*.{ts,tsx}'])).toEqual([
        { from: 'a/b/two.tsx', to: 'other/three.ts' },
        { from: 'a/one.ts', to: 'a/b/two.tsx' },
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
