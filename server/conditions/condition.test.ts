import { expect, it } from 'vitest';
import { type Condition, findingsOf } from './condition.ts';

const LATE: Condition<{ late: string[] }> = {
  id: 'feed late',
  level: 'warn',
  sentence: 'The feed of $ is late',
  remedy: 'See {feed show $}.',
  graceMs: 0,
  read: ({ late }) =>
    late.length === 0 ? 'No feed is late.' : late.map((subject) => ({ subject, detail: 'for $1.' })),
};

it('fills in the subject and commands, and identifies a fault by condition and subject', async () => {
  expect(await findingsOf([LATE], { late: ['SUNW'] })).toEqual([
    {
      key: 'feed late SUNW',
      level: 'warn',
      title: 'The feed of SUNW is late',
      summary: 'The feed of SUNW is late: for $1.',
      remedy: 'See `npm run feed -- show SUNW`.',
      text: 'For $1. See `npm run feed -- show SUNW`.',
      graceMs: 0,
    },
  ]);
  expect(await findingsOf([LATE], { late: [] })).toMatchObject([{ level: 'ok', remedy: null }]);
});
