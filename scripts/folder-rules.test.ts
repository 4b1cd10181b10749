import { describe, expect, it } from 'vitest';
import { type Floors, folderProblems } from './folder-rules.ts';
import type { ModuleImport } from './module-imports.ts';

const FLOORS: Floors = [['app'], ['search', 'alerts'], ['search/rank', 'store'], ['lib']];

/** Each line, such as `a/one.ts > b/two.ts`, means that the first file imports the second. */
function imports(...lines: string[]): ModuleImport[] {
  return lines.map((line) => {
    const [from = '', to = ''] = line.split(' > ');
    return { from, to };
  });
}

/** The problems, without those about listed folders that this small tree does not use. */
function problems(...lines: string[]) {
  return folderProblems(imports(...lines), FLOORS).filter((problem) => !problem.startsWith('No import'));
}

const upward = (from: string, to: string) => [
  `${from} imports ${to}, which is on no lower floor. Move it down, or inject it.`,
];

describe('Folder rules', () => {
  it('allow imports downward and inside a folder', () => {
    expect(
      problems(
        'app/main.ts > search/find.ts',
        'app/main.ts > lib/text.ts',
        'search/find.ts > search/page.ts',
        'alerts/watch.ts > store/table.ts',
      ),
    ).toEqual([]);
  });

  it.each([
    ['upward', 'store/table.ts', 'search/find.ts'],
    ['sideways', 'search/find.ts', 'alerts/watch.ts'],
    ['from a listed folder to its parent', 'search/rank/best.ts', 'search/find.ts'],
    ['from an unlisted folder of a listed one', 'lib/deep/er/text.ts', 'store/table.ts'],
  ])('report an import %s', (_, from, to) => {
    expect(problems(`${from} > ${to}`)).toEqual(upward(from, to));
  });

  it('count an unlisted folder as part of its nearest listed parent', () => {
    expect(problems('store/sql/tag.ts > store/table.ts', 'store/table.ts > store/sql/tag.ts')).toEqual([]);
    expect(problems('search/find.ts > search/rank/best.ts')).toEqual([]);
  });

  it('report a file outside every listed folder, and an unused listed folder', () => {
    expect(folderProblems(imports('extra/new.ts > lib/text.ts'), [['app'], ['lib']])).toEqual([
      'extra/new.ts is in no listed folder. Add its folder to scripts/folder-floors.ts.',
      'No import leads to or from app. Remove it from scripts/folder-floors.ts.',
    ]);
  });
});
