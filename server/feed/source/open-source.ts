import { accessSync, constants, createWriteStream, mkdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { fetchFeed } from './fetch-feed.ts';

/** A feed as a local file. */
export interface FeedFile {
  path: string;
  /** Bytes before decompression. */
  size: number;
  /** Deletes the file if it is a copy. May be called again. */
  close(): void;
}

/**
 * Opens a feed: a file, `-` for standard input, or an https URL. Copies input and downloads to a file first,
 * because zips need one and slow connections would delay the store. Deletes files of a killed import.
 */
export async function openSource(
  name: string,
  {
    input,
    folder,
    hosts,
    onRead,
  }: {
    input: Readable;
    folder: string;
    hosts: readonly string[];
    onRead: (bytes: number, of: number | null) => void;
  },
): Promise<FeedFile> {
  const close = () => rmSync(folder, { recursive: true, force: true });
  close();
  if (isPath(name)) return ownFile(name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'feed');
  try {
    if (name === '-') await pipeline(input, createWriteStream(path, { mode: 0o600 }));
    else await fetchFeed(name, path, { hosts, onRead });
    return { path, size: statSync(path).size, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Whether a source is a file rather than standard input or a URL. */
export function isPath(name: string): boolean {
  return name !== '-' && !/^[a-z][a-z\d+.-]+:/i.test(name);
}

function ownFile(path: string): FeedFile {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) accessSync(path, constants.R_OK);
  } catch (error) {
    throw new FeedFault(`The feed cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
  if (found === undefined) throw new FeedFault(`There is no file ${path}.`);
  if (!found.isFile())
    throw new FeedFault(`${path} is not a regular file: name a file, or use - and pipe the feed in.`);
  return { path, size: found.size, close: () => {} };
}
