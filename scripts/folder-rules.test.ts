import { describe, expect, it } from 'vitest';
import { describeFolderProblem, type Floors, folderProblems } from './folder-rules.ts';
import type { ModuleImport } from './module-imports.ts';

const FLOORS: Floors = [['app'], ['search', 'alerts'], ['search/rank', 'store'], ['lib']];

/** Each line, such as `a/one.ts > b/two.ts`, means that the first file imports `x` from the second. */
function imports(...lines: string[]): ModuleImport[] {
  return lines.map((line) => {
    const [from = '', to = ''] = line.split(' > ');
    return { from, to, names: ['x'] };
  });
}

/** The problems, without those about listed folders that this small tree does not use. */
function problems(...lines: string[]) {
  return folderProblems(imports(...lines), FLOORS).filter(({ kind }) => kind !== 'unused');
}

describe('Folder rules', () => {
  it('allow imports downward, on one floor and inside a folder', () => {
    expect(
      problems(
        'app/main.ts > search/find.ts',
        'app/main.ts > lib/text.ts',
        'search/find.ts > alerts/watch.ts',
        'search/find.ts > search/page.ts',
        'alerts/watch.ts > store/table.ts',
      ),
    ).toEqual([]);
  });

  it('report an upward import', () => {
    expect(problems('store/table.ts > search/find.ts')).toEqual([
      { kind: 'upward', import: { from: 'store/table.ts', to: 'search/find.ts', names: ['x'] } },
    ]);
  });

  it('distinguish a listed folder from its parent', () => {
    expect(problems('search/find.ts > search/rank/best.ts')).toEqual([]);
    expect(problems('search/rank/best.ts > search/find.ts')).toMatchObject([{ kind: 'upward' }]);
  });

  it('count an unlisted folder as part of its nearest listed parent', () => {
    expect(problems('store/sql/tag.ts > store/table.ts', 'store/table.ts > store/sql/tag.ts')).toEqual([]);
    expect(problems('lib/deep/er/text.ts > store/table.ts')).toMatchObject([{ kind: 'upward' }]);
  });

  it('report a cycle on one floor, with an import for each step', () => {
    expect(
      problems(
        'search/find.ts > alerts/watch.ts',
        'alerts/send.ts > search/page.ts',
        'app/main.ts > search/find.ts',
      ),
    ).toEqual([
      {
        kind: 'cycle',
        folders: ['alerts', 'search'],
        imports: imports('alerts/send.ts > search/page.ts', 'search/find.ts > alerts/watch.ts'),
      },
    ]);
  });

  it('find a cycle through several folders, although no two files form one', () => {
    const wide: Floors = [['a', 'b', 'c']];
    const found = folderProblems(imports('a/1.ts > b/1.ts', 'b/2.ts > c/1.ts', 'c/2.ts > a/2.ts'), wide);
    expect(found).toMatchObject([{ kind: 'cycle', folders: ['a', 'b', 'c'] }]);
  });

  it('report a cycle over several floors only once, as its upward import', () => {
    expect(problems('search/find.ts > store/table.ts', 'store/open.ts > search/page.ts')).toEqual([
      { kind: 'upward', import: { from: 'store/open.ts', to: 'search/page.ts', names: ['x'] } },
    ]);
  });

  it('report each of two separate cycles', () => {
    const found = problems(
      'search/a.ts > alerts/a.ts',
      'alerts/b.ts > search/b.ts',
      'search/rank/a.ts > store/a.ts',
      'store/b.ts > search/rank/b.ts',
    );
    expect(found.map((problem) => problem.kind === 'cycle' && problem.folders)).toEqual([
      ['alerts', 'search'],
      ['search/rank', 'store'],
    ]);
  });

  it('report a file outside every listed folder, and an unused listed folder', () => {
    expect(folderProblems(imports('extra/new.ts > lib/text.ts'), [['app'], ['lib']])).toEqual([
      { kind: 'unlisted', path: 'extra/new.ts' },
      { kind: 'unused', folder: 'app' },
    ]);
  });

  it('describe a problem with its files and what to do', () => {
    const [upward] = problems('store/table.ts > search/find.ts');
    expect(upward && describeFolderProblem(upward)).toBe(
      "Upward import: store/table.ts imports x from search/find.ts. Move the import's target down, or inject it.",
    );
    const [cycle] = problems('search/find.ts > alerts/watch.ts', 'alerts/send.ts > search/page.ts');
    expect(cycle && describeFolderProblem(cycle).split('\n')).toEqual([
      'Folders import each other in a cycle: alerts -> search -> alerts',
      '  alerts/send.ts imports x from search/page.ts',
      '  search/find.ts imports x from alerts/watch.ts',
    ]);
  });
});
