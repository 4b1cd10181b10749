import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  DECISIONS,
  decisionIndex,
  decisionProblems,
  parseDecisionRecord,
  readDecisionFiles,
} from './decision-records.ts';

const BODY = '## Context\n\nA.\n\n## Decision\n\nB.\n\n## Consequences\n\nC.\n';

function record(number: string, { title = `${number}. One store`, status = 'Accepted', body = BODY } = {}) {
  return {
    name: `${number}-one-store.md`,
    text: `# ${title}\n\n- Status: ${status}\n- Date: 2026-11-21\n\n${body}`,
  };
}

describe('The decision records', () => {
  it('are valid, and the index is up to date', () => {
    const files = readDecisionFiles();
    expect(decisionProblems(files)).toEqual([]);
    const index = readFileSync(join(DECISIONS, 'README.md'), 'utf8');
    expect(index, 'Run node scripts/write-decision-index.ts').toBe(decisionIndex(files));
  });
});

describe('A decision record', () => {
  it('has a number, a title, a status and a date', () => {
    expect(parseDecisionRecord(record('0002'))).toEqual({
      kind: 'record',
      record: { file: '0002-one-store.md', number: '0002', title: 'One store' },
    });
  });

  it.each([
    ['without a status', record('0002', { status: '' })],
    ['with an unknown status', record('0002', { status: 'Maybe' })],
    ['with another number in its title', record('0002', { title: '0003. One store' })],
    ['without a number in its title', record('0002', { title: 'One store' })],
    ['without a section', record('0002', { body: BODY.replace('## Decision\n', '') })],
    ['without a date', { ...record('0002'), text: record('0002').text.replace(/- Date.*/, '') }],
    ['of more than 250 words', record('0002', { body: `${BODY}${'word '.repeat(250)}` })],
    ['whose file has no number', { ...record('0002'), name: 'one-store.md' }],
  ])('%s is rejected', (_, file) => {
    expect(parseDecisionRecord(file)).toMatchObject({ kind: 'invalid', file: file.name });
  });
});

describe('The numbers of the records', () => {
  it('may have gaps, but are unique', () => {
    expect(decisionProblems([record('0002'), record('0004')])).toEqual([]);
    const twice = [record('0001'), { ...record('0001'), name: '0001-another.md' }];
    expect(decisionProblems(twice)).toEqual(['0001: 2 records have this number']);
  });
});

describe('The index', () => {
  it('lists the records in order of their numbers', () => {
    const lines = decisionIndex([record('0002', { title: '0002. Two' }), record('0001')])
      .split('\n')
      .filter((line) => line.startsWith('- ['));
    expect(lines).toEqual(['- [0001](0001-one-store.md) One store', '- [0002](0002-one-store.md) Two']);
  });
});
