import { expect, it } from 'vitest';
import { errorMessage } from './error-message.ts';

it('joins a message of several lines and its causes in one line', () => {
  const cause = new Error('connection to the remote node failed with the following error:\n\tno password.');
  const error = new Error('The store cannot be reached. ', { cause });
  expect(errorMessage(error)).toBe(
    'The store cannot be reached: connection to the remote node failed with the following error: no password',
  );
});
