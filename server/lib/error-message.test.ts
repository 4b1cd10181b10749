import { expect, it } from 'vitest';
import { errorMessage } from './error-message.ts';

it('writes a message of several lines, and its causes, on one line', () => {
  const cause = new Error('connection to the remote node failed with the following error:\n\tno password.');
  const error = new Error('The store cannot be reached. ', { cause });
  expect(errorMessage(error)).toBe(
    'The store cannot be reached: connection to the remote node failed with the following error: no password',
  );
});
