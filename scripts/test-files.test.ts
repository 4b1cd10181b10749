import { describe, expect, it } from 'vitest';
import { importersOf, matched } from './test-files.ts';

describe('The patterns of test files', () => {
  it('fail if no file matches one of them', () => {
    expect(matched('scripts/test-files.test.ts')).toEqual(['scripts/test-files.test.ts']);
    expect(() => matched('scripts/*.test.ts', 'scripts/renamed.test.ts')).toThrow(
      '"scripts/renamed.test.ts"',
    );
  });

  it('choose suites by what they import, and fail if none imports it', () => {
    const suites = importersOf('shared-store-kinds.ts', '{server,tests}/**/*.test.ts');
    expect(suites).toContain('tests/contract/lost-commit-response.test.ts');
    expect(suites).not.toContain('server/http/limits.test.ts');
    expect(() => importersOf('renamed.ts', 'scripts/*.test.ts')).toThrow('renamed.ts');
  });
});
