import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testTitles } from '../fixtures/test-titles.ts';

const ROOT = join(import.meta.dirname, '../..');
const STATEMENTS = numbersIn('docs/specification-statements.md', /^- \*\*(\d+\.\d+)\*\* \S/gm);
const ROWS = [
  ...text('docs/specification-coverage.md').matchAll(
    /^\|\s*(\d+\.\d+)\s*\|\s*`([^`]+)`\s*\|\s*(.+?)\s*\|$/gm,
  ),
].map(([, statement = '', file = '', title = '']) => ({ statement, file, title }));

describe('The table of what proves the specification', () => {
  it('numbers the statements of each of the nine sections from 1, without a gap', () => {
    for (let section = 1; section <= 9; section += 1) {
      const inSection = STATEMENTS.filter((number) => number.startsWith(`${section}.`));
      expect(inSection.length).toBeGreaterThan(0);
      expect(inSection).toEqual(inSection.map((_, at) => `${section}.${at + 1}`));
    }
  });

  it('has a row for every statement, and none for another', () => {
    expect([...new Set(ROWS.map(({ statement }) => statement))]).toEqual(STATEMENTS);
  });

  it('has no line in its tables that is not such a row', () => {
    const lines = text('docs/specification-coverage.md').split('\n');
    const tables = lines.filter((line) => line.startsWith('|') && !/^\|\s*(Statement|-)/.test(line));
    expect(tables).toHaveLength(ROWS.length);
  });

  it('names tests that exist', () => {
    const titles = new Map<string, string[]>();
    const missing = ROWS.filter(({ file, title }) => {
      const path = join(ROOT, file);
      if (!titles.has(file)) titles.set(file, existsSync(path) ? testTitles(path) : []);
      return !titles.get(file)?.includes(title);
    });
    expect(missing).toEqual([]);
  });
});

function numbersIn(path: string, pattern: RegExp): string[] {
  return [...text(path).matchAll(pattern)].map(([, number = '']) => number);
}

function text(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
