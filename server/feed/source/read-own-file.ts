import { readFileSync } from 'node:fs';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';

/** The text of a file that providers.json or the operator names. Throws a FeedFault. */
export function readOwnFile(what: 'credentials' | 'key' | 'mapping', path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new FeedFault(`The ${what} ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}
