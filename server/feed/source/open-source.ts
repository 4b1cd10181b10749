import { accessSync, constants, copyFileSync, createWriteStream, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { fetchFeed } from './fetch-feed.ts';

/**
 * Copies a feed that an operator names to `path`: a file, `-` for standard input, or an https URL. Zips need a
 * file, and slow connections would delay the store.
 */
export async function copySource(
  name: string,
  path: string,
  {
    input,
    hosts,
    onRead,
  }: {
    input: Readable;
    hosts: readonly string[];
    onRead: (bytes: number, of: number | null) => void;
  },
): Promise<void> {
  if (isPath(name)) copyOwnFile(name, path);
  else if (name === '-') await pipeline(input, createWriteStream(path, { mode: 0o600 }));
  else await fetchFeed(name, path, { hosts, onRead });
}

/** Whether a source is a file rather than standard input or a URL. */
export function isPath(name: string): boolean {
  return name !== '-' && !/^[a-z][a-z\d+.-]+:/i.test(name);
}

function copyOwnFile(name: string, path: string): void {
  let found: Stats | undefined;
  try {
    found = statSync(name, { throwIfNoEntry: false });
    if (found !== undefined) accessSync(name, constants.R_OK);
  } catch (error) {
    throw new FeedFault(`The feed cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
  if (found === undefined) throw new FeedFault(`There is no file ${name}.`);
  if (!found.isFile())
    throw new FeedFault(`${name} is not a regular file: name a file, or use - and pipe the feed in.`);
  copyFileSync(name, path, constants.COPYFILE_FICLONE);
}
