import { expect, it } from 'vitest';
import { failureLog } from './failure-log.ts';

it('logs a failure once until something has worked, and another one at once', () => {
  const lines: string[] = [];
  const { failed, worked } = failureLog((line) => lines.push(line));
  failed('locked');
  failed('locked');
  failed('full');
  failed('full');
  worked();
  failed('full');
  expect(lines).toEqual(['locked', 'full', 'full']);
});
